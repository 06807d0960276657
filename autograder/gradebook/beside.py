"""What formgrader shows a grader beside an answer: the question, its model answer and points, the student's figures.

Formgrader renders `autograded/` with nbconvert's HTMLExporter, whose steps are a setting. Our step adds a cell above
each answer that a person grades, while the page is made. The cell is never written to a file, so that no model answer
can reach a student. Feedback has another exporter (`pages.FeedbackPage`), and this step would leave it unchanged.

Figures are taken from the submitted notebook, because the network behind them was trained on the student's computer and
is not trained again while grading. Nothing but PNG pictures of bounded size is taken from there.
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
from autograder.lesson.text import Lesson
from autograder.lesson.translation import language_of, translate_notebook

# How many pictures above a question are shown, the last ones; pictures further up belong to other questions.
MAX_FIGURES = 3
HEADING = "#### For graders: model answer and points"
FIGURES = "#### For graders: the student's own figures, as they were handed in"


class BesideAnswers(NbGraderPreprocessor):
    """Adds help for the grader to formgrader's page of a submission."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        # Formgrader sets `submission_id`, feedback does not.
        if not resources.get("submission_id") or resources.get("notebook_id") not in lesson_names():
            return nb, resources
        lesson = Lesson.load(str(resources["notebook_id"]))
        course = CourseDirectory(config=self.config)
        place = course.format_path(course.submitted_directory, str(resources["student"]), lesson.name)
        return with_help(nb, lesson, Path(place, f"{lesson.name}.ipynb")), resources


def with_help(notebook: NotebookNode, lesson: Lesson, handed_in: Path) -> NotebookNode:
    """Add help above each answer of an autograded notebook; figures come from the submitted file `handed_in`."""
    asked = questions(lesson, language_of(notebook))
    there = {cell.get("id"): cell.source.strip() for cell in notebook.cells}
    figures = figures_above(lesson, submitted_figures(lesson, handed_in))
    cells = []
    for cell in notebook.cells:
        essay = lesson.essays.get(grade_id(cell))
        if essay is not None:
            question = asked[essay.name]
            # Students can edit the question in their notebook, or lose it.
            parts = [] if there.get(f"{essay.name}-question") == question.strip() else [question]
            cells.append(_cell(f"{essay.name}-help", "\n\n".join([*parts, HEADING, _quoted(essay.model_answer)])))
            if shown := figures[essay.name]:
                cells.append(_cell(f"{essay.name}-figures", FIGURES, shown))
        cells.append(cell)
    notebook.cells = cells
    return notebook


def questions(lesson: Lesson, language: str) -> dict[str, str]:
    """Return the text of each question that a person grades, in a language."""
    translated = translate_notebook(release_notebook(lesson), language)
    texts = {cell.id: cell.source for cell in translated.cells}
    return {name: texts[f"{name}-question"] for name in lesson.essays}


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _cell(name: str, text: str, pictures: list[str] | None = None) -> NotebookNode:
    """Return a markdown cell of text and pictures; `pictures` are PNGs in base64."""
    named = {f"figure-{number}.png": picture for number, picture in enumerate(pictures or [], start=1)}
    lines = [text, *(f"![the student's figure](attachment:{file})" for file in named)]
    cell: NotebookNode = nbformat.v4.new_markdown_cell("\n\n".join(lines), id=name[:64])
    if named:
        cell.attachments = {file: {"image/png": picture} for file, picture in named.items()}
    return cell


def submitted_figures(lesson: Lesson, path: Path) -> dict[str, list[str]]:
    """Return the pictures of the lesson's drawing cells in a submitted file, by cell, as PNGs in base64."""
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
    """Return nbgrader's id of a cell of unchecked JSON, "" for none."""
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else cell.get("id")
    return name if isinstance(name, str) else ""


def _joined(output: dict[str, Any]) -> dict[str, Any]:
    """Return an output whose picture is one string; a file may hold it as a list of lines."""
    data = output.get("data")
    lines = data.get("image/png") if isinstance(data, dict) else None
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return output
    return output | {"data": cast(dict[str, Any], data) | {"image/png": "".join(lines)}}


def figures_above(lesson: Lesson, pictures: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the last pictures above each question; a question right below another one gets none."""
    found, above = {}, list[str]()
    for cell in lesson.of_role("show", "essay"):
        if cell.role == "show":
            above += pictures.get(cell.grade_id, [])
        else:
            found[cell.name], above = above[-MAX_FIGURES:], []
    return found
