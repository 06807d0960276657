"""The small case of a named mistake, for feedback: what an answer with the mistake gives, beside the right result.

The cases are those of the public checks, which students have. So a page shows no value of a hidden test; and what runs
is our reference with the mistake in it, not the student's code.
"""

import contextlib
from functools import cache

from autograder.gradebook.log import Log
from autograder.lesson.text import TEST_PREFIX, Lesson


@cache  # a class makes the same mistakes
def small_case(lesson: Lesson, question: str, mistake: str, language: str) -> str:
    """Return a small case of a question's mistake as lines of text, "" if there is none in which it shows."""
    from autograder.exams.reference import mutant_students  # here, because these modules load torch
    from autograder.sandbox.inside.light_torch import leave_compiler_unloaded
    from utils.checks.check import case_book
    from utils.checks.engine.case_picture import CasePicture
    from utils.checks.engine.cases import Pool

    leave_compiler_unloaded()  # a mistake in a training would load it
    with contextlib.suppress(Exception):  # without a case, the page still says what is wrong
        if book := case_book(lesson.name):
            students = mutant_students(lesson, question, mistake)
            cases = Pool.read(book, lesson.name, question).differing(students, [mistake])
            # A case in which the code raises shows its line, which is the mistake's and not the student's.
            return next((repr(CasePicture(stored, run, language)) for stored, run in cases if not run.failure), "")
    return ""


def cases_of(log: Log, lesson: Lesson, language: str) -> dict[str, str]:
    """Return the small case of each test cell whose first lost test has a named mistake, by the cell's grade id."""
    cases = {}
    for question in log.get("questions", []):
        lost = next((test for test in question["tests"] if not test["passed"]), None)
        if lost and lost["mistake"]:
            name = question["id"].removeprefix(TEST_PREFIX)
            cases[question["id"]] = small_case(lesson, name, str(lost["mistake"]), language)
    return cases
