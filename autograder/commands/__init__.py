"""The command line's commands, each a few lines over the module that does the work, imported when called.

    courses     a course: new, bundle, grade, status, report, export, clean, container
    notebooks   one notebook: try, compose
    workbook    for who changes the workbook: build, format, translate, site, install, demo
    which       the course that a command is about

`autograder/__main__.py` puts them together: `--help` shows these three groups.
"""
