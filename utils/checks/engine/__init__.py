"""How a test is run, and its result judged, named and shown; checks and exams stand on it, and it knows no lesson.

    answer_key.py    the stored numbers that a public check compares with
    panel.py         verdicts as a person sees them
    verdict.py       passed, wrong, raised, not attempted; and which known mistake explains a result
    naming.py        which known mistakes explain an answer, and whether that is sure
    question.py      `Question` and its `Test`s, and running one of them
    probe.py         the seeded inputs and parameters of a test, and bringing results over
    pretended_gpu.py    a GPU where there is none: does an answer leave tensors behind on the CPU?
    observation.py   what a test saw, compared with something else

Arrows point down the list.
"""
