"""The command line's commands. Each is a few lines, which import the module that does the work, and call it.

    courses     for a course
    notebooks   for one notebook
    workbook    for those who change the workbook
    which       arguments that several commands share: LESSON, --course

`autograder/__main__.py` puts them together: `--help` shows these three groups.
"""
