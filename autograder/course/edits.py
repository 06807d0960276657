"""Edits that somebody made in the instructors' notebook of the workbook: brought into the lesson's text, never lost."""

import re
from pathlib import Path

from nbformat import NotebookNode

from autograder.common.errors import BuildError
from autograder.lesson.text import TEST_PREFIX, Lesson, built_from, content_hash, read_instructors, to_text


def instructors_path(lesson: Lesson) -> Path:
    """Return the path of the instructors' notebook in the workbook."""
    return lesson.parts[0].source / f"{lesson.name}.ipynb"


def _edited(lesson: Lesson) -> NotebookNode | None:
    """Return the instructor's notebook if it was edited after it was built, else None."""
    path = instructors_path(lesson)
    if not path.is_file():
        return None
    notebook = read_instructors(path)
    return notebook if lesson.lacks_edit_of(notebook) else None


def refuse_to_lose_edits(lesson: Lesson) -> None:
    """Raises: BuildError if the instructor's notebook holds an edit that the text lacks."""
    if _edited(lesson) is not None:
        name = lesson.name
        raise BuildError(
            f"source/{name}/{name}.ipynb has been edited since it was built; bring the edit into "
            f"source/{name}/lesson.py with `python -m autograder build {name} --pull`, or discard it with `--force`."
        )


def pull(lesson: Lesson) -> Lesson | None:
    """Bring an edit of the instructor's notebook into the lesson's text.

    Returns: the lesson with the edit, None if there was no edit. Raises: BuildError, before anything is written, if
    the text was changed as well after the notebook was built, or has no form for a cell.
    """
    notebook = _edited(lesson)
    if notebook is None:
        return None
    name = lesson.name
    if built_from(notebook) != content_hash(lesson.to_notebook()):
        raise BuildError(
            f"Both source/{name}/lesson.py and source/{name}/{name}.ipynb have been edited since the last build; "
            "keep a copy of the notebook, run `make build` with --force, and make its edit again."
        )
    refuse_what_text_cannot_hold(notebook, name)
    text = to_text(notebook)
    # This raises, before anything is written, if the text cannot be built again.
    edited = Lesson.parse(name, text, lesson.course)
    if Lesson.parse(name, to_text(edited.to_notebook()), lesson.course) != edited or lacks_of(edited, notebook):
        raise BuildError(
            f"source/{name}/{name}.ipynb contains a cell that source/{name}/lesson.py cannot hold as it is; undo the "
            "last edits in the notebook, one by one. Nothing was written."
        )
    lesson.parts[0].text.write_text(text, encoding="utf-8")
    return edited


def refuse_what_text_cannot_hold(notebook: NotebookNode, name: str) -> None:
    """Raises: BuildError, in terms of the notebook's user interface, for a cell that a lesson's text cannot hold."""
    panel = "in the Create Assignment panel,"
    for number, cell in enumerate(notebook.cells, start=1):
        marks = cell.metadata.get("nbgrader", {})
        grade_id = str(marks.get("grade_id", ""))
        wrong = ""
        if cell.cell_type == "raw":
            wrong = "is a raw cell; make it Markdown or Code in the toolbar, or delete it"
        elif marks.get("task"):
            wrong = "is a “Manually graded task”; choose “Manually graded answer” in the Create Assignment panel"
        elif marks and not re.fullmatch(r"[a-z][a-z0-9_]*", grade_id):
            wrong = f"has the ID {grade_id!r}; {panel} give it one of lower-case letters, digits and _"
        elif marks.get("grade") and not marks.get("solution") and not grade_id.startswith(TEST_PREFIX):
            wrong = f"is a test with the ID {grade_id!r}; {panel} make it begin with {TEST_PREFIX}"
        elif marks.get("grade") and marks.get("solution") and cell.cell_type == "code":
            wrong = "is code that is graded by hand; make the answer a Markdown cell, or let a test grade it"
        if wrong:
            raise BuildError(
                f"Cell {number} of source/{name}/{name}.ipynb {wrong}. Nothing was written; save the notebook and run "
                "the same command again."
            )


def lacks_of(lesson: Lesson, notebook: NotebookNode) -> bool:
    """Return whether a notebook's cells differ from those of the lesson's text; empty cells do not count."""
    return _sources(lesson.to_notebook()) != _sources(notebook)


def _sources(notebook: NotebookNode) -> list[str]:
    return [source for cell in notebook.cells if (source := cell.source.strip())]
