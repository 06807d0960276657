"""Makes submissions from the release: for tests, for the demonstration, and to try what an answer earns."""

from pathlib import Path
from typing import TypedDict

from nbformat import NotebookNode

from autograder.common.course import Course
from autograder.common.nodes import grade_id
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson, write_notebook
from utils.common.errors import WorkbookError
from utils.common.messages import N_


class Answers(TypedDict, total=False):
    """The arguments of `compose` besides the lesson."""

    cells: dict[str, str]
    blank: bool
    language: str


def compose(
    lesson: Lesson, cells: dict[str, str] | None = None, *, blank: bool = False, language: str = "en"
) -> NotebookNode:
    """Return the release with the given code in the named cells and the reference solution in the others.

    `cells` maps a cell's grade id to the student's whole text. With `blank` the other cells stay as released.
    Raises: WorkbookError for a name that the lesson does not have.
    """
    cells = cells or {}
    answers = {} if blank else {name: cell.code for name, cell in lesson.solutions.items()}
    answers |= {} if blank else {name: cell.model_answer for name, cell in lesson.essays.items()}
    unknown = set(cells) - set(lesson.solutions) - set(lesson.essays)
    if unknown:
        known = ", ".join([*lesson.solutions, *lesson.essays])
        raise WorkbookError(
            N_("The lesson {lesson} has no cell {names}; students write: {known}."),
            lesson=lesson.name,
            names=", ".join(sorted(unknown)),
            known=known,
        )
    answers |= cells
    notebook = release_notebook(lesson)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    notebook.metadata["workbook"]["language"] = language
    return notebook


def hand_in(notebook: NotebookNode | str, course: Course, student: str, lesson_name: str) -> Path:
    """Write a notebook (or any text) where nbgrader looks for a student's submission; return its path."""
    path = course / "submitted" / student / lesson_name / f"{lesson_name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook if isinstance(notebook, str) else write_notebook(notebook), encoding="utf-8")
    return path
