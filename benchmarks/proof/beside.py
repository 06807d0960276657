"""A known mistake with a slip beside it: how often is the mistake still told, where no pair is known that fits?

`python -m benchmarks.proof beside` makes one small change, drawn at random, to each catalogued mistake's answer (see
`slips.py`), and counts the answers of which check or exam name that mistake, or one of its class.
"""

import random
from collections.abc import Iterator

from rich.console import Console

from autograder import mistakes
from autograder.exams import reference
from autograder.lesson.text import Lesson
from autograder.mistakes import Mistake
from benchmarks.proof.in_process import Counts, counted, exam_verdicts, mistakes_named, names_with, print_counts, quiet
from benchmarks.proof.slips import changed, lines_of_gaps

# The seed of the draws.
SEED = 7
# The least share of answers of which check, or exam, name the mistake.
LEAST = 0.5
COLUMNS = ("answers", "told by check", "told by exam")


def answers(lesson: Lesson, every: int = 1) -> Iterator[tuple[Mistake, str]]:
    """Yield each `every`-th mistake of a lesson with the code of an answer that has a slip as well."""
    for mistake in list(mistakes.load(lesson).values())[::every]:
        solution = lesson.solutions[mistake.cell]
        gaps = lines_of_gaps(solution.source)
        given = {line for number, line in enumerate(solution.code.split("\n"), 1) if number not in gaps}
        code = mistakes.code_of(lesson, mistake)
        written = {number for number, line in enumerate(code.split("\n"), 1) if line not in given}
        if slips := list(changed(code, written)):
            yield mistake, random.Random(f"{SEED}/{lesson.name}/{mistake.id}").choice(slips)[1]


def told(lesson: Lesson, mistake: Mistake, code: str) -> tuple[int, ...]:
    """Return the counts of an answer, in the order of `COLUMNS`; zeros where its cell fails."""
    family = mistakes.family(lesson, mistake.id)
    with quiet():
        try:
            students = reference.exam_call(lesson, mistake.cell, names_with(lesson, code, f"{mistake.cell}:beside"))
        except Exception:
            return 0, 0, 0
        check = mistakes_named(reference.checks_of(lesson)[mistake.cell].verdicts(students))
        exam = mistakes_named(exam_verdicts(lesson, mistake.cell, students, 0))
    return 1, bool(check & family), bool(exam & family)


def print_beside(lessons: list[Lesson], every: int) -> bool:
    """Print the table; return whether as many are told as should be."""
    rows = [
        (f"{lesson.name}/{mistake.cell}", told(lesson, mistake, code))
        for lesson in lessons
        for mistake, code in answers(lesson, every)
    ]
    table: Counts = counted(COLUMNS, rows)
    print_counts(Console(soft_wrap=True, markup=False, highlight=False), COLUMNS, table)
    everything = table["all"]
    return min(everything["told by check"], everything["told by exam"]) >= LEAST * everything["answers"]
