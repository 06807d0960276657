"""Showing that grading is right: submissions whose marks are known beforehand.

compose     a submission from the release: given code in some cells, the reference in the others
verdicts    every known mistake must be noticed and named, every correct variant must pass: the confusion table
here        an answer examined in this process; sums by cell, printed
pairs       two mistakes at once: no name may be of a third
slips       the smallest changes to the reference, made by machine: each must lose points
attacks     every attack of `tests/attacks/` must win nothing
siege       `make siege`: classes of everything, graded while the grader is paused and killed
demo        `make demo`: a class of twelve, graded before your eyes

verdicts, pairs, slips -> here        verdicts, attacks, siege, demo -> compose

All of them use the stages as instructors do, and no stage knows of them.
"""
