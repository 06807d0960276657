"""Making submissions from the release: for tests, the demonstration, and anyone who wonders what an answer earns."""

from pathlib import Path

from nbformat import NotebookNode

from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson, write_notebook
from utils.common.errors import WorkbookError


def compose(
    lesson: str, cells: dict[str, str] | None = None, *, blank: bool = False, language: str = "en"
) -> NotebookNode:
    """Return the release with the given code in the named cells and the reference in the others.

    `cells` maps a grade id (that of the cell which students write) to its whole text; with `blank`
    the other cells stay as released. Raises: WorkbookError for a name that the lesson does not have.
    """
    cells = cells or {}
    text = Lesson.load(lesson)
    answers = {} if blank else {name: cell.code for name, cell in text.solutions.items()}
    answers |= {} if blank else {name: _model_answer(cell.source) for name, cell in text.essays.items()}
    unknown = set(cells) - set(text.solutions) - set(text.essays)
    if unknown:
        known = ", ".join([*text.solutions, *text.essays])
        raise WorkbookError(f"The lesson {lesson} has no cell {', '.join(sorted(unknown))}; students write: {known}.")
    answers |= cells
    notebook = release_notebook(lesson)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell.source = answers[name]
    notebook.metadata["workbook"]["language"] = language
    return notebook


def _model_answer(source: str) -> str:
    answer = source.split("### BEGIN SOLUTION", 1)[1].split("### END SOLUTION")[0]
    return answer.strip()


def hand_in(notebook: NotebookNode | str, course: Path, student: str, lesson: str) -> Path:
    """Write a notebook (or any text) where nbgrader looks for a student's submission; return its path."""
    path = course / "submitted" / student / lesson / f"{lesson}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook if isinstance(notebook, str) else write_notebook(notebook), encoding="utf-8")
    return path
