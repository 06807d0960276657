"""What a person who grades needs beside an answer: the question as it was asked, its model answer and points, figures.

Formgrader renders `autograded/` with nbconvert's HTMLExporter, whose steps are a setting. Ours puts a cell above each
answer that a person grades, while the page is made: nothing of it is ever written, so that no model answer can reach a
student. Feedback has an exporter of its own (`pages.FeedbackPage`), and would pass through unchanged.

Figures are the student's own, from what was handed in: the network behind them was trained on the student's computer
and is not trained again while grading. Nothing but bounded PNG pictures is taken from there.
"""

import json
from pathlib import Path
from typing import Any, cast

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.common.nodes import grade_id
from autograder.common.paths import lesson_names
from autograder.examine.outputs import Outputs
from autograder.intake.errors import Refused
from autograder.intake.folder import is_linked
from autograder.intake.plain import bytes_of
from autograder.lesson.release import release_notebook
from autograder.lesson.text import BEGIN_SOLUTION, END_SOLUTION, Cell, Lesson, between
from autograder.lesson.translation import translate_notebook
from utils.common.messages import LANGUAGES

# Of the pictures above a question, the last ones; those further up belong to other questions.
MAX_FIGURES = 3
HEADING = "#### For graders: model answer and points"
FIGURES = "#### For graders: the student's own figures, as they were handed in"


class BesideAnswers(NbGraderPreprocessor):
    """Shows the grader what belongs to an answer, in formgrader alone."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        # What formgrader tells the page and feedback does not: which of the gradebook's submissions this is.
        if not resources.get("submission_id") or resources.get("notebook_id") not in lesson_names():
            return nb, resources
        lesson = Lesson.load(str(resources["notebook_id"]))
        course = CourseDirectory(config=self.config)
        place = course.format_path(course.submitted_directory, str(resources["student"]), lesson.name)
        return with_help(nb, lesson, Path(place, f"{lesson.name}.ipynb")), resources


def with_help(notebook: NotebookNode, lesson: Lesson, handed_in: Path) -> NotebookNode:
    """Return an autograded notebook with what a grader needs above each answer; `handed_in` holds the figures."""
    asked = _questions(lesson, notebook.metadata.get("workbook", {}).get("language"))
    there = {cell.get("id"): cell.source.strip() for cell in notebook.cells}
    figures = figures_above(lesson, drawn(lesson, handed_in))
    cells = []
    for cell in notebook.cells:
        essay = lesson.essays.get(grade_id(cell))
        if essay is not None:
            question = asked[essay.name]
            # Students can edit the question in their notebook, or lose it.
            parts = [] if there.get(f"{essay.name}-question") == question.strip() else [question]
            cells.append(_cell(f"{essay.name}-help", "\n\n".join([*parts, HEADING, _quoted(model_answer(essay))])))
            if shown := figures[essay.name]:
                cells.append(_cell(f"{essay.name}-figures", FIGURES, shown))
        cells.append(cell)
    notebook.cells = cells
    return notebook


def model_answer(essay: Cell) -> str:
    """Return a question's model answer and how its points are given."""
    return between(essay.source, BEGIN_SOLUTION, END_SOLUTION).strip()


def _questions(lesson: Lesson, language: Any) -> dict[str, str]:
    """Return the questions that a person grades, as they were asked in a language."""
    translated = translate_notebook(release_notebook(lesson), language if language in LANGUAGES else "en")
    texts = {cell.id: cell.source for cell in translated.cells}
    return {name: texts[f"{name}-question"] for name in lesson.essays}


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _cell(name: str, text: str, pictures: list[str] | None = None) -> NotebookNode:
    """Return a cell of text and pictures."""
    named = {f"figure-{number}.png": picture for number, picture in enumerate(pictures or [], start=1)}
    lines = [text, *(f"![the student's figure](attachment:{file})" for file in named)]
    cell: NotebookNode = nbformat.v4.new_markdown_cell("\n\n".join(lines), id=name[:64])
    if named:
        cell.attachments = {file: {"image/png": picture} for file, picture in named.items()}
    return cell


def drawn(lesson: Lesson, path: Path) -> dict[str, list[str]]:
    """Return the pictures that the lesson's drawing cells have in a notebook as it was handed in, as base64 of PNG."""
    try:
        data = {} if is_linked(path) else json.loads(bytes_of(path))
    except (Refused, ValueError, RecursionError):
        return {}
    cells = data.get("cells") if isinstance(data, dict) else None
    bounded, found = Outputs(), dict[str, list[str]]()
    for cell in cells if isinstance(cells, list) else []:
        name = _name_of(cell) if isinstance(cell, dict) else ""
        if name not in lesson.shown_only or name in found:
            continue
        outputs = cell.get("outputs")
        shown = [_joined(one) for one in (outputs if isinstance(outputs, list) else []) if isinstance(one, dict)]
        pictures = [output.get("data", {}).get("image/png") for output in bounded.of_cell(shown)]
        found[name] = ["".join(picture.split()) for picture in pictures if picture]
    return found


def _name_of(cell: dict[str, Any]) -> str:
    """Return nbgrader's id of a raw cell, whatever stands in the places where it should."""
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else cell.get("id")
    return name if isinstance(name, str) else ""


def _joined(output: dict[str, Any]) -> dict[str, Any]:
    """Return an output whose picture is one text; files may hold it as lines."""
    data = output.get("data")
    lines = data.get("image/png") if isinstance(data, dict) else None
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return output
    return output | {"data": cast(dict[str, Any], data) | {"image/png": "".join(lines)}}


def figures_above(lesson: Lesson, pictures: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the last pictures above each question; for the second of two in a row, none again."""
    found, above = {}, list[str]()
    for cell in lesson.of_role("show", "essay"):
        if cell.role == "show":
            above += pictures.get(cell.grade_id, [])
        else:
            found[cell.name], above = above[-MAX_FIGURES:], []
    return found
