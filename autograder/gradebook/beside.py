"""The help that formgrader shows beside an answer: the question, its model answer and points, the student's figures.

The help is in the course's language, whatever language the student writes in, with the points of the course's rubric.

Formgrader renders `autograded/` with nbconvert's HTMLExporter, whose steps are a setting. While the page is made, our
step adds a cell above each answer that a person grades. The cell is never written to a file, so that no model answer
can reach a student. Feedback has another exporter (`pages.FeedbackPage`), and this step does nothing outside of
formgrader.

The same step escapes the student's name, which formgrader's page would show as HTML.

Figures are taken from the submitted notebook, because they show networks that were trained on the student's computer
and are not trained again while grading. Only PNG pictures and printed text of bounded size are taken from there.
"""

import contextlib
import html
import json
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.nodes import grade_id
from autograder.common.sentences import Number
from autograder.essays.rubric import Rubric, copy_for_course
from autograder.essays.store import EssayStore
from autograder.examine.outputs import Output, Outputs
from autograder.intake.errors import Refused
from autograder.intake.folder import is_linked
from autograder.intake.notebook import owners_of
from autograder.intake.plain import bytes_of
from autograder.lesson.release import course_in, release_notebook
from autograder.lesson.rubric import figures_of
from autograder.lesson.text import Cell, Lesson
from autograder.lesson.translation import language_of, model_answer, translate_notebook
from utils.common.messages import N_, translate

# The most pictures and tables shown with an answer (the last ones), and the most characters of a table.
MAX_FIGURES, MAX_TABLE = 6, 4_000
# Values that formgrader's page (nbgrader 0.9.6) shows without escaping; students choose their names on their platform.
STUDENTS_OWN = ("first_name", "last_name", "student", "notebook_path")
HEADING = N_("For graders: model answer and points")
FIGURES = N_("For graders: the student's own figures, as they were handed in")
FIGURE = N_("the student's figure")
POINTS = N_("Points")


class Shown(NamedTuple):
    """One output of a student's cell: a picture (PNG in base64), or a printed table; the other field is empty."""

    picture: str
    text: str


class BesideAnswers(NbGraderPreprocessor):
    """Adds help for the grader to formgrader's page of a submission."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        # Formgrader sets `submission_id`, feedback does not.
        if not resources.get("submission_id"):
            return nb, resources
        course, folders = course_in(self.config), CourseDirectory(config=self.config)
        if resources.get("notebook_id") in course.lessons:
            lesson = Lesson.load(str(resources["notebook_id"]), course)
            folder = folders.format_path(folders.submitted_directory, str(resources["student"]), lesson.name)
            language = str(self.config.Translate.get("language", "en"))
            nb = with_help(nb, lesson, Path(folder, f"{lesson.name}.ipynb"), course, language)
        for name in STUDENTS_OWN:
            resources[name] = html.escape(str(resources.get(name) or ""))
        return nb, resources


def with_help(notebook: NotebookNode, lesson: Lesson, submitted: Path, course: Course, language: str) -> NotebookNode:
    """Add help in a language above each answer of an autograded notebook; figures come from the file `submitted`."""
    texts = questions(lesson, language_of(notebook))
    sources = {cell.get("id"): cell.source.strip() for cell in notebook.cells}
    outputs = submitted_outputs(lesson, submitted)
    cells = []
    for cell in notebook.cells:
        essay = lesson.essays.get(grade_id(cell))
        if essay is not None:
            question = texts[essay.name]
            # The question is repeated only if the student's notebook lacks it, or has it with changes.
            parts = [] if sources.get(f"{essay.name}-question") == question.strip() else [question]
            parts += [f"#### {translate(HEADING, language)}", _quoted(_model(course, lesson, essay, language))]
            cells.append(_cell(f"{essay.name}-help", "\n\n".join(parts)))
            if shown := own_figures(essay, outputs):
                cells.append(_figures(essay.name, shown, language))
        cells.append(cell)
    notebook.cells = cells
    return notebook


def _model(course: Course, lesson: Lesson, essay: Cell, language: str) -> str:
    """Return a question's model answer and the items of the course's rubric, with their points."""
    items = [
        f"- **{Number(item.points, language):g}** {item.text_in(language)}"
        for item in _rubric(course, lesson, essay).items
    ]
    return "\n\n".join([model_answer(lesson, essay, language), f"**{translate(POINTS, language)}**", "\n".join(items)])


def _rubric(course: Course, lesson: Lesson, essay: Cell) -> Rubric:
    """Return the course's rubric of a question; the lesson's if the course has none that can be read."""
    with contextlib.suppress(GradingError):
        if rubric := EssayStore(course, lesson.name, essay.name).rubric():
            return rubric
    return copy_for_course(lesson, essay, essay.points)


def questions(lesson: Lesson, language: str) -> dict[str, str]:
    """Return the text of each question that a person grades, in a language."""
    translated = translate_notebook(release_notebook(lesson), language, lesson)
    texts = {cell.id: cell.source for cell in translated.cells}
    return {name: texts[f"{name}-question"] for name in lesson.essays}


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _cell(name: str, text: str) -> NotebookNode:
    cell: NotebookNode = nbformat.v4.new_markdown_cell(text, id=name[:64])
    return cell


def _figures(name: str, shown: list[Shown], language: str) -> NotebookNode:
    """Return a markdown cell that shows pictures and tables."""
    heading, alternative = f"#### {translate(FIGURES, language)}", translate(FIGURE, language)
    pictures = {f"figure-{number}.png": figure.picture for number, figure in enumerate(shown) if figure.picture}
    tables = [textwrap.indent(figure.text, "    ") for figure in shown if figure.text]
    images = [f"![{alternative}](attachment:{file})" for file in pictures]
    cell = _cell(f"{name}-figures", "\n\n".join([heading, *images, *tables]))
    if pictures:
        cell.attachments = {file: {"image/png": picture} for file, picture in pictures.items()}
    return cell


def submitted_outputs(lesson: Lesson, path: Path) -> dict[str, list[Shown]]:
    """Return the pictures and tables in the outputs of a submitted file's drawing cells, by cell, bounded in size.

    The file is whatever the student uploaded: each level of its JSON is checked before use, and a file that cannot be
    read has no figures.
    """
    try:
        content = b"" if is_linked(path) else bytes_of(path)
        cells, owners = json.loads(content)["cells"], owners_of(content, lesson)
    except (Refused, ValueError, RecursionError, TypeError, KeyError):
        return {}
    bounded, figures = Outputs(), dict[str, list[Shown]]()
    for number, names in owners.items():
        # If a cell was copied, the first copy is used; `bounded` limits the outputs of all cells together.
        name = next((name for name in names if name in lesson.shown_only and name not in figures), "")
        if not name:
            continue
        outputs = cells[number].get("outputs")
        joined = [_joined(raw) for raw in (outputs if isinstance(outputs, list) else []) if isinstance(raw, dict)]
        figures[name] = [shown for output in bounded.of_cell(joined) if any(shown := _shown(output))]
    return figures


def _shown(output: Output) -> Shown:
    """Return an output's picture, or else the text that was printed."""
    picture = "".join(output.get("data", {}).get("image/png", "").split())
    return Shown(picture, "" if picture else output.get("text", "")[:MAX_TABLE])


def _joined(output: dict[str, Any]) -> dict[str, Any]:
    """Return an output whose picture and printed text are one string each; a file may hold them as lists of lines."""
    data = output.get("data")
    joined = output | {"text": _one_string(output["text"])} if "text" in output else output
    if not isinstance(data, dict):
        return joined
    return joined | {"data": data | {"image/png": _one_string(data.get("image/png"))}}


def _one_string(text: Any) -> Any:
    return "".join(text) if isinstance(text, list) and all(isinstance(line, str) for line in text) else text


def own_figures(essay: Cell, outputs: dict[str, list[Shown]]) -> list[Shown]:
    """Return the student's own figures and tables that a question is about."""
    return [shown for name in figures_of(essay) for shown in outputs.get(name, [])][-MAX_FIGURES:]
