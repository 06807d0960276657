"""Proof that grading is right: submissions whose marks are known in advance. `python -m benchmarks.proof --help`

    verdicts     every known mistake must be noticed and named, every correct variant must pass: the confusion table
    pairs        two mistakes at once: no third mistake may be named
    slips        the smallest changes to the reference, made by a program: each must lose points
    spellings    known mistakes in other code than the catalogue's: how often they are named
    beside       a known mistake with a slip beside it: how often it is told
    cases        small cases: how many mistakes and slips get one, and whether a right answer is accused
    own_code     questions on a student's own code: whether their keys are right
    values       values without sense, up to 2 MB: what judging them costs the grader
    trips        round trips through editors: marks, essays and flags must stay
    editors      what editors, and students in editors, do to a notebook
    attacks      every attack of `tests/attacks/` must gain nothing
    lti          rosters that are drawn, and pairs of senders at once, against a platform in memory
    siege        `make siege`: whole classes, graded while the grader is paused and killed
    in_process   examines an answer without a sandbox; counts by cell, printed

    verdicts, pairs, slips, spellings, beside, cases, own_code -> in_process
    beside, cases -> slips        own_code -> verdicts        trips -> editors        __main__ -> all

They use the stages of `autograder` as instructors do; no stage imports them. `benchmarks/*.md` records their results.
"""
