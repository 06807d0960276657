"""Turns any submitted file into a notebook that can be graded, or into a refusal that says why.

`plain.read` turns a file's bytes into a plain notebook. `mend` fits that notebook to its lesson: every cell of the
release is there once, in order, with its metadata, and the student's own cells are between them. Both list what they
changed.
"""

import contextlib
import functools
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from autograder.common.course import Course
from autograder.common.nodes import as_node
from autograder.intake.errors import Refused, WrongLesson
from autograder.intake.folder import beside, is_linked, submitted_at
from autograder.intake.plain import LINK, bytes_of, new_cell, read
from autograder.lesson.release import release_notebook
from autograder.lesson.setup import SETUP_NAME, STANDING_NAME
from autograder.lesson.text import Lesson
from autograder.lesson.translation import TEXT_STUB, translate_notebook
from utils.common.errors import WorkbookError
from utils.common.messages import LANGUAGES, N_, Message, translate

# The states of a submission that cannot be graded.
UNREADABLE, WRONG_LESSON = "unreadable", "wrong lesson"


@dataclass
class Taken:
    """A notebook that can be graded, and the list of its changes; `refused` says why the submission counts as empty."""

    notebook: NotebookNode
    language: str = "en"
    mended: list[Message] = field(default_factory=list)
    refused: Message | None = None
    state: str = ""  # of a refused one: UNREADABLE or WRONG_LESSON
    flags: list[str] = field(default_factory=list)  # oddities, for the instructor


def take_in(path: str | os.PathLike[str], lesson: Lesson, language: str = "en") -> Taken:
    """Read and mend one submitted file; no content of the file raises an error.

    `language`: the course's, for a file that does not tell its own.
    """
    try:
        return take_in_bytes(bytes_of(Path(path)), lesson, language)
    except Refused as refusal:
        return refuse(lesson, refusal, language)


def take_in_submission(path: str | os.PathLike[str], lesson: Lesson, language: str = "en") -> Taken:
    """Read and mend the file at a student's place in `submitted/`, and flag an odd time and other notebooks there.

    A link to another's folder is refused like a link to a file. `language`: as in `take_in`.
    """
    path = Path(path)
    taken = refuse(lesson, Refused(LINK), language) if is_linked(path) else take_in(path, lesson, language)
    _, wrong = submitted_at(path.parent)
    others = ", ".join(map(ascii, beside(path)[:3]))
    taken.flags += [wrong] if wrong else []
    taken.flags += [f"other notebooks lie beside it and were not graded: {others}"] if others else []
    return taken


def take_in_bytes(content: bytes, lesson: Lesson, language: str = "en") -> Taken:
    """Read and mend a submitted file's content; no content raises an error. `language`: as in `take_in`."""
    try:
        notebook, mended = read(content)
        language = notebook.metadata["workbook"]["language"]
        taken = mend(notebook, lesson)
        taken.mended = mended + taken.mended
        return taken
    except Refused as refusal:
        return refuse(lesson, refusal, language)


def refuse(lesson: Lesson, refusal: Refused, language: str) -> Taken:
    """Return an empty submission whose first cell says the reason, all in one language."""
    released = release_notebook(lesson)
    notebook = translate_notebook(released, language, lesson)
    for cell, original in zip(notebook.cells, released.cells, strict=True):
        if "nbgrader" in cell.metadata:  # nbgrader knows an empty answer by its English text
            cell.source = original.source
    text = f"**{refusal.message.render(language)}**"
    notebook.cells.insert(0, as_node(new_cell("markdown", text, {}, "refused")))
    state = WRONG_LESSON if isinstance(refusal, WrongLesson) else UNREADABLE
    return Taken(notebook, language, refused=refusal.message, state=state)


# ---- fitting a notebook to its lesson -----------------------------------------------------------------


def mend(notebook: NotebookNode, lesson: Lesson) -> Taken:
    """Return the release's cells in the release's order, with the student's answers and own cells in them.

    Raises: Refused when nothing in the notebook belongs to the lesson.
    """
    release = release_notebook(lesson)
    managed: dict[str, NotebookNode] = {
        cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata
    }
    prose = {cell.id for cell in release.cells if "nbgrader" not in cell.metadata}
    submitted: dict[str, list[NotebookNode]] = {name: [] for name in managed}
    # The student's own cells, by the release's cell that they follow.
    own: dict[str, list[NotebookNode]] = {name: [] for name in ["", *managed]}
    lost, before, seen = [], "", set[str]()
    for cell in notebook.cells:
        clues = cell.metadata.pop("clues", [])
        seen.update(clues)
        # A cell is found by nbgrader's id first, then as the release's prose, last by its text, for lost metadata.
        name = next((clue for clue in clues if clue in managed), None)
        is_prose = cell.cell_type != "code" and not prose.isdisjoint(clues)
        if name is None and not is_prose and (name := _recognise(cell, managed, submitted)):
            lost.append(name)
        if name is None:
            if cell.cell_type != "code":
                cell.id = next((clue for clue in clues if clue in prose), cell.id)
            own[before].append(cell)
        else:
            submitted[name].append(cell)
            before = name
    # A complete notebook is of this lesson, even if cells of another one were pasted into it.
    language = notebook.metadata["workbook"]["language"]
    if not all(submitted.values()) and (other := _other_lesson(lesson, submitted, seen)):
        raise WrongLesson(
            N_("This is the notebook of the lesson {other}; hand in that of the lesson {lesson}."),
            other=other,
            lesson=lesson.name,
        )
    if not any(submitted.values()):
        raise WrongLesson(N_("This is another notebook: no cell of the lesson {lesson} is in it."), lesson=lesson.name)
    taken = Taken(release, language)
    if lost:
        taken.mended.append(
            Message(
                N_("The labels that nbgrader needs had been lost (by an editor) and were restored in: {cells}."),
                {"cells": ", ".join(lost)},
            )
        )
    cells = own[""]
    for name, original in managed.items():
        cells += [_answer(name, original, submitted[name], language, taken.mended), *own[name]]
    taken_ids: set[str] = set()
    for cell in cells:
        # The students' own cells may have copied ids. nbformat allows 64 characters, which leaves room for a number.
        number, first_id = 2, cell.id
        while cell.id in taken_ids:
            cell.id = f"{first_id[:58]}-{number}"
            number += 1
        taken_ids.add(cell.id)
    release.cells, release.metadata.workbook = cells, as_node({"language": language, "lesson": lesson.name})
    return taken


def _other_lesson(lesson: Lesson, submitted: dict[str, list[NotebookNode]], seen: set[str]) -> str:
    """Return another lesson that ids in `seen` belong to, if no cell of this lesson alone was found; else ""."""
    own_ids = _own_ids(lesson.course)
    here = any(submitted.get(name) for name in own_ids.get(lesson.name, submitted))
    return "" if here else next((name for name, ids in own_ids.items() if ids & seen), "")


@functools.cache
def _own_ids(course: Course) -> dict[str, set[str]]:
    """Return by lesson the ids of cells that no other lesson has."""
    ids: dict[str, set[str]] = {}
    for name in course.lessons:
        with contextlib.suppress(WorkbookError):  # a lesson of the course's own that somebody is still writing
            ids[name] = {cell.grade_id for cell in Lesson.load(name, course).cells if cell.name}
    return {name: own - set().union(*(ids[other] for other in ids if other != name)) for name, own in ids.items()}


def _recognise(
    cell: NotebookNode, managed: dict[str, NotebookNode], submitted: dict[str, list[NotebookNode]]
) -> str | None:
    """Return the release's cell that an unlabelled cell comes from, by its text or its functions; None if none."""
    text = cell.source.strip()
    if not text:
        return None
    defined = _defined(cell.source) if cell.cell_type == "code" else frozenset()
    for name, original in managed.items():
        if submitted[name]:
            continue
        source = original.source
        if len(text) <= len(source) and text == source.strip():
            return name
        if defined and original.metadata.nbgrader.solution and defined & _defined(source):
            return name
    return None


def _defined(source: str) -> frozenset[str]:
    """Return the functions and classes that a cell defines at its top level."""
    return frozenset(re.findall(r"^(?:def|class)\s+(\w+)", source, re.MULTILINE))


@functools.cache
def _stubs() -> frozenset[str]:
    """Return the texts of an empty answer: nothing, or nbgrader's stub in one of the languages."""
    return frozenset({"", TEXT_STUB, *(translate(TEXT_STUB, language) for language in LANGUAGES)})


def _answer(
    name: str, original: NotebookNode, given: list[NotebookNode], language: str, mended: list[Message]
) -> NotebookNode:
    """Return the release's cell, with the student's answer if the cell is to be filled; adds to `mended`.

    `given`: the submission's cells that were recognised as this cell.
    """

    def say(template: str, **values: int) -> None:
        mended.append(Message(template, {"cell": name, **values}))

    if not original.metadata.nbgrader.solution:
        if name == STANDING_NAME:
            return original  # notebooks that were released without this cell are as good
        if len(given) != 1:
            say(
                N_("The cell {cell} stood there twice.")
                if given
                else N_("The cell {cell} was missing and was put back.")
            )
        elif given[0].source.strip() != original.source.strip() and name != SETUP_NAME:
            # (The first cell differs from course to course, by the address of the modules.)
            say(N_("The cell {cell} had been changed and was restored."))
        return original
    empty = {original.source.strip(), *_stubs()}
    answers = [cell.source for cell in given if cell.source.strip() not in empty]
    if not given:
        say(N_("The cell {cell} was missing; it counts as empty."))
    if len(given) > 1:
        # The parts of a split cell, run in order, are the whole cell; of copies, the last definition counts.
        say(N_("The cell {cell} stood there {count} times and was joined."), count=len(given))
    if any(cell.cell_type != original.cell_type for cell in given):
        say(N_("The type of the cell {cell} had been changed and was restored."))
    if answers:
        original.source = "\n\n".join(answers)
    for cell in given:
        if cell.get("attachments") and original.cell_type == "markdown":
            original.attachments = cell.attachments
    return original
