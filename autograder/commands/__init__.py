"""The command line's commands, each a few lines that call the module that does the work and import it only then.

    courses     a course: new, bundle, grade, status, report, export, clean, container
    notebooks   one notebook: try, compose
    workbook    for who changes the workbook: build, format, translate, site, slides, install, demo
    which       arguments that several commands share: LESSON, --course

`autograder/__main__.py` puts them together: `--help` shows these three groups.
"""
