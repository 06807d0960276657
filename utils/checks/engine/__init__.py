"""How a test is run, and how its result is judged, named and shown; used by checks and exams, and of no lesson itself.

    own_code.py         questions on a student's own code, and their keys, by running it
    answer_key.py       the stored numbers that a public check compares with
    panel.py            verdicts as a person sees them
    case_picture.py     a small case as a person sees it
    case_grid.py        one of its tables
    cases.py            small cases: how they are declared, stored, run and compared
    on_the_way.py       values on the way to a result: what functions of torch get or return
    small.py            what a case function works with: small numbers, simple layers, tables
    verdict.py          judges: which outcome each test has, and its reason
    naming.py           which known mistakes explain an answer, and whether that is sure
    evidence.py         how much a wrong result says about its cause
    kinds.py            what kind of difference there is between a result and the right one, in words
    pair_prints.py      two mistakes in one answer: short prints of their results
    question.py         `Question` and its `Test`s, and how a test is run
    probe.py            a test's seeded inputs and parameters, and its results converted to plain values
    source.py           the text of the cell that defines an answer, and small changes to its lines
    pretended_gpu.py    a simulated GPU that finds tensors which an answer leaves on the CPU
    observation.py      the result of one test, and how two results are compared
    outcome.py          passed, wrong, raised, not attempted or stopped: what a test came to, as plain data
    failure.py          what the student's code raised, or how the grader ended it, as plain data

Arrows point down the list. The last two load neither torch nor NumPy.
"""
