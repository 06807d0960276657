"""A lesson's text, `source/LESSON/lesson.py`, and the instructors' notebook that nbgrader needs.

The text is in jupytext's percent format. A cell's title names its role:

    given NAME          code of ours that always runs
    show NAME           code of ours that trains and draws; not run while grading
    solution NAME       code that students write; its test cell is the next
    test NAME POINTS    a public check, then a call of the exam between nbgrader's hidden-test markers
    essay NAME POINTS   a question (above BEGIN SOLUTION) and a model answer, graded by hand
    (no title)          prose, or a cell for the students' own trials

In the notebook the role becomes nbgrader's schema-3 metadata and a stable cell id. `to_text` turns the notebook back
into the text without loss, so that an edit made in JupyterLab can be brought into the text.
"""

import functools
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.common.course import Course, Part
from autograder.common.errors import LessonError
from autograder.common.nodes import as_node, read_notebook
from autograder.lesson.adapted import adapted, joined
from autograder.lesson.rubric import rubric_of
from autograder.lesson.setup import SETUP, SETUP_NAME, STANDING, STANDING_NAME, stamp
from utils.version import __version__

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
ROLES = ("given", "show", "solution", "test", "essay")
# Cells of these names are folded, because students have nothing to do in them.
FOLDED = (SETUP_NAME, "imports", "train")
# nbgrader's id of a test cell begins with this, because the solution cell has the name itself as its id.
TEST_PREFIX = "test_"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Cell:
    """One cell of a lesson's text; `role` is "prose" or "scratch" for a cell without title."""

    role: str
    name: str
    points: float
    kind: str  # "code" or "markdown"
    source: str

    @property
    def grade_id(self) -> str:
        return TEST_PREFIX + self.name if self.role == "test" else self.name

    @property
    def hidden(self) -> str:
        """The code of the hidden tests, without markers."""
        return between(self.source, BEGIN_HIDDEN, END_HIDDEN)

    @property
    def question(self) -> str:
        """An essay's question, as the student reads it."""
        return self.source.partition(BEGIN_SOLUTION)[0].strip()

    @property
    def model_answer(self) -> str:
        """An essay's model answer, with the rule for its points."""
        return between(self.source, BEGIN_SOLUTION, END_SOLUTION).strip()

    @property
    def code(self) -> str:
        """The cell as a completed notebook has it: solution markers and hidden tests removed."""
        lines = without(self.source, BEGIN_HIDDEN, END_HIDDEN).split("\n")
        return "\n".join(line for line in lines if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION))


def between(source: str, begin: str, end: str) -> str:
    """Return the lines between two marker lines, "" when the markers are missing."""
    lines = source.split("\n")
    marks = [i for i, line in enumerate(lines) if line.strip() in (begin, end)]
    return "\n".join(lines[marks[0] + 1 : marks[1]]) if len(marks) == 2 else ""


def without(source: str, begin: str, end: str) -> str:
    """Return the source without the two marker lines and the lines between them."""
    lines = source.split("\n")
    marks = [i for i, line in enumerate(lines) if line.strip() in (begin, end)]
    return "\n".join(lines[: marks[0]] + lines[marks[1] + 1 :]).rstrip() if len(marks) == 2 else source


@dataclass(frozen=True, eq=False)  # compared by identity: `parse` returns one object for one text
class Lesson:
    """A lesson of a course, as its text describes it, and the folders of its parts."""

    name: str
    cells: tuple[Cell, ...]
    course: Course
    parts: tuple[Part, ...]

    @classmethod
    def load(cls, name: str, course: Course) -> "Lesson":
        """Return a course's lesson, with the course's points and questions; make the course's modules importable.

        Raises: LessonError, which names the lessons that the course has; CourseError for the course's settings.
        """
        texts = [part.text.read_text(encoding="utf-8") for part in course.parts_of(name)]
        course.add_modules()
        return cls.parse(name, adapted(name, joined(name, texts), course.settings.of_lesson(name)), course)

    @classmethod
    @functools.cache
    def parse(cls, name: str, text: str, course: Course) -> "Lesson":
        """Return the lesson that a text describes. Raises: LessonError, which names the cell that cannot be read."""
        cells = list(_read_cells(text))
        first = next((i for i, cell in enumerate(cells) if cell.kind == "code"), len(cells))
        cells.insert(first, Cell("given", SETUP_NAME, 0.0, "code", SETUP))
        cells.append(Cell("show", STANDING_NAME, 0.0, "code", STANDING.format(lesson=name)))
        ids = [cell.grade_id for cell in cells if cell.name]
        if twice := sorted({id_ for id_ in ids if ids.count(id_) > 1}):
            raise LessonError(f"Two cells of {name} have the same name: {', '.join(twice)}; rename one of each.")
        return cls(name, tuple(cells), course, course.lessons.get(name, ()))

    def of_role(self, *roles: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.role in roles]

    @cached_property
    def solutions(self) -> dict[str, Cell]:
        """The cells that students write, by name."""
        return {cell.name: cell for cell in self.of_role("solution")}

    @cached_property
    def tests(self) -> dict[str, Cell]:
        """The graded code cells, by the question's name."""
        return {cell.name: cell for cell in self.of_role("test")}

    @cached_property
    def essays(self) -> dict[str, Cell]:
        return {cell.name: cell for cell in self.of_role("essay")}

    @cached_property
    def ours(self) -> set[str]:
        """The grade ids of code cells whose text is the lesson's and not the student's."""
        return {cell.grade_id for cell in self.of_role("given", "show", "test")}

    @cached_property
    def shown_only(self) -> set[str]:
        """The grade ids of cells that do not run while grading."""
        return {cell.grade_id for cell in self.of_role("show")}

    def to_notebook(self) -> NotebookNode:
        """Return nbgrader's instructor notebook; the same text gives the same bytes."""
        cells = [written for cell in self.cells for written in _write_cell(cell, self.name)]
        for cell in cells:
            cell["id"] = _unique(cell["id"], {other["id"] for other in cells if other is not cell})
        metadata = {
            "kernelspec": KERNEL,
            "language_info": {"name": "python"},
            "workbook": {"language": "en", "lesson": self.name, "version": __version__},
        }
        return as_node({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})

    @property
    def own(self) -> Part | None:
        """The part that the course adds: the whole lesson, or questions; None if the lesson is the workbook's alone."""
        return self.parts[-1] if self.course.adds and self.name in self.course.own else None

    def to_instructors(self) -> NotebookNode:
        """Return the instructors' notebook with a hash of its content, which tells whether it was edited later.

        If the course adds a part to the lesson, the first cell requires the version of the course's modules.
        """
        notebook = self.to_notebook()
        if self.own:
            stamp(notebook, self.course.version)
        notebook.metadata["workbook"]["built"] = content_hash(notebook)
        return notebook

    def lacks_edit_of(self, instructors: NotebookNode) -> bool:
        """Return whether an instructors' notebook was edited since it was built, and this text lacks the edit."""
        return content_hash(instructors) not in (built_from(instructors), content_hash(self.to_instructors()))


def lessons_of(course: Course) -> list[Lesson]:
    """Return all lessons of a course, in their order."""
    return [Lesson.load(name, course) for name in course.lessons]


def read_instructors(path: Path) -> NotebookNode:
    """Return the instructors' notebook at a path. Raises: LessonError when it cannot be read."""
    try:
        return read_notebook(path)
    except Exception as error:
        raise LessonError(f"{path} cannot be read ({type(error).__name__}); delete it and run `make build`.") from None


def built_from(instructors: NotebookNode) -> str:
    """Return the hash that `Lesson.to_instructors` wrote into a notebook, "" if there is none."""
    return str(instructors.metadata.get("workbook", {}).get("built", ""))


@functools.cache
def _read_cells(text: str) -> tuple[Cell, ...]:
    """Return the cells of a lesson's text: a course that changes nothing has the workbook's."""
    return tuple(_read_cell(cell) for cell in jupytext.reads(text, fmt="py:percent").cells)


def _read_cell(cell: NotebookNode) -> Cell:
    title = cell.metadata.get("title", "").strip()
    if not title:
        return Cell("prose" if cell.cell_type == "markdown" else "scratch", "", 0.0, cell.cell_type, cell.source)
    role, *rest = title.split()
    has_points = role in ("test", "essay")
    if role not in ROLES or len(rest) != 1 + has_points or not re.fullmatch(r"[a-z][a-z0-9_]*", rest[0]):
        raise LessonError(
            f"The cell marker “# %% {title}” cannot be read; write one of: given NAME, show NAME, solution NAME, "
            "test NAME POINTS, essay NAME POINTS, with NAME in lower case, digits and underscores."
        )
    if (role == "essay") != (cell.cell_type == "markdown"):
        kind = "markdown: add [markdown] after the points" if role == "essay" else "code: take [markdown] away"
        raise LessonError(f"The cell “# %% {title}” must be {kind}.")
    if role == "test" and not between(cell.source, BEGIN_HIDDEN, END_HIDDEN).strip():
        raise LessonError(f"The cell “# %% {title}” has no hidden test; without one it can earn no points.")
    if role in ("solution", "essay") and BEGIN_SOLUTION not in cell.source:
        raise LessonError(f"The cell “# %% {title}” lacks the lines {BEGIN_SOLUTION} and {END_SOLUTION}.")
    lesson_cell = Cell(role, rest[0], float(rest[1]) if has_points else 0.0, cell.cell_type, cell.source)
    if role == "essay":
        rubric_of(lesson_cell)  # raises LessonError for a rubric that cannot be read
    return lesson_cell


def _write_cell(cell: Cell, lesson_name: str) -> list[NotebookNode]:
    """Return the cell in nbgrader's form; an essay becomes two cells, its question and its answer."""
    if cell.role in ("prose", "scratch"):
        digest = hashlib.sha256(cell.source.encode()).hexdigest()[:10]
        return [_new_cell(cell.kind, f"{cell.role}-{digest}", cell.source)]
    nbgrader: dict[str, Any] = {
        "grade": cell.role in ("test", "essay"),
        "grade_id": cell.grade_id,
        "locked": cell.role not in ("solution", "essay"),
        "schema_version": 3,
        "solution": cell.role in ("solution", "essay"),
        "task": False,
    }
    if nbgrader["grade"]:
        nbgrader["points"] = int(cell.points) if cell.points == int(cell.points) else cell.points
    metadata: dict[str, Any] = {"nbgrader": dict(sorted(nbgrader.items()))}
    if nbgrader["locked"]:
        metadata = {"deletable": False, "editable": False} | metadata
    if cell.role == "essay":
        question, answer = cell.source.split(BEGIN_SOLUTION)
        return [
            _new_cell("markdown", f"{cell.name}-question", question.strip()),
            _new_cell("markdown", cell.name, BEGIN_SOLUTION + answer, metadata),
        ]
    if cell.name in FOLDED:
        metadata["jupyter"] = {"source_hidden": True}
    if cell.role == "show":
        metadata["workbook"] = {"role": "show"}
    source = cell.source
    if cell.role == "test":
        source = source.replace(BEGIN_HIDDEN, f"{BEGIN_HIDDEN}\n{_exam_import(lesson_name)}")
    return [_new_cell(cell.kind, cell.grade_id, source, metadata)]


def _exam_import(lesson_name: str) -> str:
    return f"from autograder.exams import {lesson_name} as exam"


def _new_cell(kind: str, cell_id: str, source: str, metadata: dict[str, Any] | None = None) -> NotebookNode:
    cell: dict[str, Any] = {"cell_type": kind, "id": cell_id[:64], "metadata": metadata or {}, "source": source}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return as_node(dict(sorted(cell.items())))


def _unique(cell_id: str, taken: set[str]) -> str:
    """Return the id, with a number at its end if it is taken. nbformat allows 64 characters."""
    number = 2
    candidate = cell_id
    while candidate in taken:
        candidate = f"{cell_id[:60]}-{number}"
        number += 1
    return candidate


def to_text(notebook: NotebookNode) -> str:
    """Return the text in percent format of an instructors' notebook; the inverse of `Lesson.to_notebook`."""
    lesson_name = notebook.metadata.get("workbook", {}).get("lesson", "")
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        nbgrader = cell.metadata.get("nbgrader")
        ours = nbgrader and nbgrader["grade_id"] in (SETUP_NAME, STANDING_NAME)
        if ours or not (nbgrader or cell.source.strip()):
            continue  # `Lesson.parse` adds ours again; an empty cell was left by an editor
        source = cell.source
        title = ""
        if nbgrader:
            title = _title(nbgrader, cell)
            if nbgrader.get("grade") and nbgrader.get("solution"):
                # An essay is two cells of the notebook and one of the text: the question above is joined with it.
                question = cells.pop().source if cells and not cells[-1].metadata.get("title") else ""
                source = f"{question}\n\n{source}".strip()
            source = source.replace(f"{BEGIN_HIDDEN}\n{_exam_import(lesson_name)}", BEGIN_HIDDEN)
        # One empty line between cells; jupytext would put two before a class.
        metadata = {"lines_to_next_cell": 1} | ({"title": title} if title else {})
        cells.append(_new_cell(cell.cell_type, cell.get("id", ""), source, metadata))
    no_header = {"jupytext": {"notebook_metadata_filter": "-all"}}
    return str(jupytext.writes(nbformat.v4.new_notebook(cells=cells, metadata=no_header), fmt="py:percent"))


def _title(nbgrader: dict[str, Any], cell: NotebookNode) -> str:
    name = nbgrader["grade_id"]
    points = f"{nbgrader.get('points', 0):g}"
    if nbgrader.get("grade"):
        essay = nbgrader.get("solution")
        return f"essay {name} {points}" if essay else f"test {name.removeprefix(TEST_PREFIX)} {points}"
    if nbgrader.get("solution"):
        return f"solution {name}"
    return f"{cell.metadata.get('workbook', {}).get('role', 'given')} {name}"


def content_hash(notebook: NotebookNode) -> str:
    """Return a hash of what an author writes: sources, types and metadata, not outputs, run counts or empty cells."""
    written = [cell for cell in notebook.cells if cell.source.strip() or "nbgrader" in cell.metadata]
    cells = [[c.cell_type, c.source, c.metadata.get("nbgrader"), c.metadata.get("workbook")] for c in written]
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()[:16]


def write_notebook(notebook: NotebookNode) -> str:
    """Return the text of a notebook's file as Jupyter writes it: keys sorted, a newline at the end."""
    return str(nbformat.writes(notebook, version=4)).rstrip("\n") + "\n"
