"""The command line's commands, each a few lines over the module that does it, which it imports when it is called.

    lessons   new, bundle, build, format, site, translate, install
    marks     grade, try, report, status, export, clean, container
    proofs    demo, compose, verdicts, siege
    course    which course a command is about

`autograder/__main__.py` puts them together. A new command stands with those of the same people.
"""
