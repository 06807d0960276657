"""A lesson, from its one text to the notebooks that instructors and students open.

    text           `source/LESSON.py` <-> nbgrader's instructor notebook: roles, points, ids, hidden tests
    setup          the first cell of every notebook, which finds the modules
    translation    prose through gettext catalogues; code is the same in every language
    wrapping       where prose breaks its lines: filled in a lesson's text, not at all in the catalogues
    cells          the gradebook's list of questions, which follows the lesson's, with submissions or without
    release        the instructor's notebook -> the students', by nbgrader's own steps

`text` uses `setup` and is read by all others, `translation` uses `wrapping`, `release` uses `translation` and `cells`.
Of the instructors' packages only `common` is imported.
"""
