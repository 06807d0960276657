"""Examining a notebook that intake has passed: from its cells to verdicts and points.

    examiner.py    one notebook: runs its cells in the sandbox, and the exams on what they define
    work.py        the notebook's cells, their keys in the store, and the `Result` assembled from entries
    exam_run.py    one question's exam: its tests run here, on proxies of the student's objects
    remote.py      the proxies: operations on them are done in the sandbox, and only values come back
    result.py      the result of grading a notebook, as plain data
    outputs.py     the outputs of cells, rebuilt from parts that are safe to show
    ready_made.py  library calls that a course does not allow
    newer_python.py  the version of Python that a cell needs, where this one is older
    suspicion.py   lines that an instructor may want to look at, found by what code does (code_reading.py)
    flags.py       flags in the course's language
    store.py       the results that are kept; keys.py and hashes.py: everything that a result depends on

This package uses exams (`autograder/exams`) and the sandbox. It knows no course, no gradebook and no student's name.
"""
