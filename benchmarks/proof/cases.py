"""How many wrong answers get a small case, of catalogued mistakes and of slips, and whether a right one is accused.

`python -m benchmarks.proof cases` shows for each question: the known mistakes and those with a stored case; the slips
that fail the check, and what their first case is: tables, an exception of the student's line, or none; the slips that
pass the check and yet differ in a case, of which there must be none.
"""

from collections.abc import Iterable
from time import process_time
from typing import Any

from rich.console import Console

from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import Counts, counted, names_with, print_counts, quiet
from benchmarks.proof.slips import Slip, slips
from utils.checks.check import case_book
from utils.checks.engine.cases import CaseRun, Pool

COLUMNS = ("mistakes", "with a case", "slips that fail", "tables", "exception", "none", "passes, but differs")


def first_case(lesson: Lesson, question: str, students: tuple[Any, ...]) -> CaseRun | None:
    """Return the first case in which an answer differs, without knowing its name."""
    book = case_book(lesson.name)
    found = next(Pool.read(book, lesson.name, question).differing(students), None) if book else None
    return found[1] if found else None


def of_slip(slip: Slip) -> tuple[int, ...]:
    """Return the counts of a slip, in the columns from the third on; of one whose cell fails, zeros."""
    with quiet():
        try:
            students = reference.exam_call(slip.lesson, slip.cell, names_with(slip.lesson, slip.code, "slip"))
        except Exception:
            return 0, 0, 0, 0, 0
        verdicts = reference.checks_of(slip.lesson)[slip.cell].verdicts(students)
        run = first_case(slip.lesson, slip.cell, students)
    if all(verdict.passed for verdict in verdicts):
        return 0, 0, 0, 0, run is not None
    raised = run is not None and run.failure is not None
    return 1, run is not None and not raised, raised, run is None, 0


def table(lessons: Iterable[Lesson], every: int) -> Counts:
    """Return the counts by question; of the slips each `every`-th is tried."""
    rows: list[tuple[str, tuple[int, ...]]] = []
    for lesson in lessons:
        book = case_book(lesson.name)
        for question in book.cases if book else ():
            known = reference.mistakes_of(lesson, question)
            stored = Pool.read(book, lesson.name, question).case_of_mistake if book else {}
            rows.append((f"{lesson.name}/{question}", (len(known), len(stored.keys() & set(known)), 0, 0, 0, 0, 0)))
        rows += [(slip.gap, (0, 0, *of_slip(slip))) for slip in list(slips(lesson))[::every]]
    return counted(COLUMNS, rows)


def print_cases(lessons: Iterable[Lesson], every: int) -> bool:
    """Print the table; return whether no slip that passes its check differs in a case."""
    start = process_time()
    found = table(lessons, every)
    console = Console(soft_wrap=True, markup=False, highlight=False)
    print_counts(console, COLUMNS, found)
    console.print(f"{process_time() - start:.0f} seconds of processor time")
    return not found["all"]["passes, but differs"]
