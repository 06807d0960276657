"""A lesson, from its one text to the notebooks that instructors and students open.

    text           `source/LESSON.py` <-> nbgrader's instructor notebook: roles, points, ids, hidden tests
    translation    prose through gettext catalogues; code is the same in every language
    release        the instructor's notebook -> the students', by nbgrader's own steps

`text` is read by everybody, `release` knows both others. Of the instructors' packages only `common` is imported.
"""
