"""The answers of students who make the known mistakes, as the build needs them: none may be left out unseen."""

from typing import Any

from autograder import mistakes
from autograder.common.errors import BuildError
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.common.errors import WorkbookError


def mutants_of(lesson: Lesson, question: str) -> dict[str, tuple[Any, ...]]:
    """Return the objects that a question is called with, by the mistake that their student makes.

    Raises: WorkbookError for a mistake that cannot be made (`refuse_unmade`), or whose cell raises.
    """
    mutants = {}
    for mistake in reference.mistakes_of(lesson, question):
        try:
            mutants[mistake] = reference.mutant_students(lesson, question, mistake)
        except WorkbookError:
            raise
        except Exception as error:
            cell = mistakes.load(lesson)[mistake].cell
            raise BuildError(
                f"The mistake {mistake} cannot be recognised, because with it the cell {cell} raises "
                f"{type(error).__name__} ({error}): write a `new` text that runs, or drop the mistake."
            ) from error
    return mutants


def refuse_unmade(lesson: Lesson) -> None:
    """Refuse a mistake in an unknown cell, or whose `old` text does not occur there once. Raises: WorkbookError."""
    for mistake in mistakes.load(lesson).values():
        if mistake.cell not in lesson.solutions:
            raise BuildError(f"The mistake {mistake.id} is in no cell: the lesson has no solution {mistake.cell!r}.")
        mistakes.code_of(lesson, mistake)
