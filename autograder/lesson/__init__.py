"""A lesson: from its text to the notebooks of instructors and students.

    text           `source/LESSON.py` <-> nbgrader's instructor notebook: roles, points, ids, hidden tests
    adapted        other points and questions left out, as a course's `course.toml` says
    rubric         the rubric in an essay's model answer: its items with ids, points, texts, words
    setup          the first cell of every notebook, which finds the modules
    translation    prose by gettext catalogues; code is the same in every language
    wrapping       line breaks in prose: filled lines in a lesson's text, one line a paragraph in the catalogues
    cells          the gradebook's list of questions, kept up to date with the lesson
    release        the instructors' notebook -> the students', by nbgrader's own steps
    compose        submissions made from the release, for tests and the demonstration

`text` uses `adapted`, `setup` and `rubric`, and is read by all others; `translation` uses `wrapping`, `release` uses
`translation` and `cells`. Of the instructors' packages only `common` is imported.
"""
