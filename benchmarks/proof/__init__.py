"""Proof that grading is right: submissions whose marks are known beforehand. `python -m benchmarks.proof --help`

    verdicts   every known mistake must be noticed and named, every correct variant must pass: the confusion table
    pairs      two mistakes at once: no name may be of a third
    slips      the smallest changes to the reference, made by machine: each must lose points
    attacks    every attack of `tests/attacks/` must win nothing
    siege      `make siege`: classes of everything, graded while the grader is paused and killed
    here       an answer examined in this process; sums by cell, printed

    verdicts, pairs, slips -> here        __main__ -> all

All of them use the stages of `autograder` as instructors do; no stage knows of them. `benchmarks/*.md` records what
they measured.
"""
