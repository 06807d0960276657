"""The command line's commands, each a few lines that call the module that does the work and import it only then.

    courses     for a course
    notebooks   for one notebook
    workbook    for those who change the workbook
    which       arguments that several commands share: LESSON, --course

`autograder/__main__.py` puts them together: `--help` shows these three groups.
"""
