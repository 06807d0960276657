"""Examining a notebook that intake has passed: from its cells to verdicts and points.

    examiner.py    one notebook: runs its cells in the sandbox, has its questions sat
    work.py        its cells, the store's keys of them, and the `Result` that is assembled
    exam_run.py    one question: the exam's tests are run here, on stand-ins for the student's objects
    remote.py      the stand-ins: what is asked of them is done in the sandbox, and only values come back
    result.py      what grading a notebook yields, as plain data
    outputs.py     what may be shown of a cell's outputs
    ready_made.py  library calls that a course does not allow
    suspicion.py   lines that an instructor may want to look at
    store.py       what was computed once is not computed again; keys.py, hashes.py: what it depends on
    unsafe.py      the same without a sandbox, for notebooks that one trusts

It knows exams (`autograder/exams`) and the sandbox; it knows no course, no gradebook, no student's name.
"""
