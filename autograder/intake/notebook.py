"""Turns any submitted file into a notebook that can be graded, or into a refusal that says why.

`plain.read` turns a file's bytes into a plain notebook. `mend` fits that notebook to its lesson: every cell of the
release is there once, in order, with its metadata, and the student's own cells are between them. `pieces` says which
cell is which, `answers` finds the answers. All of them list what they changed.
"""

import contextlib
import functools
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from autograder.common.course import Course
from autograder.common.nodes import as_node
from autograder.intake.answers import Essay, Found, answer_of, find_code, find_essays
from autograder.intake.cutting import pieces_of
from autograder.intake.errors import Refused, WrongLesson
from autograder.intake.folder import beside, is_linked, submitted_at
from autograder.intake.known import Known, assigned, code_in, defined, head_of, lines_of
from autograder.intake.notes import BELOW, CUT, JOINED, MISSING, MOVED, PUT_BACK, RESTORED, RETYPED, SHOWN, TWICE, Notes
from autograder.intake.pieces import Pictures, Piece
from autograder.intake.plain import LINK, bytes_of, new_cell, read
from autograder.intake.prose import letters, prose_of
from autograder.lesson.release import release_notebook, without_cells
from autograder.lesson.setup import SETUP_NAME, STANDING_NAME
from autograder.lesson.text import Lesson
from autograder.lesson.translation import translate_notebook
from utils.common.errors import WorkbookError
from utils.common.messages import LANGUAGES, N_, Message

# The states of a submission that cannot be graded.
UNREADABLE, WRONG_LESSON = N_("unreadable"), N_("wrong lesson")


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
    taken.flags += [f"other notebooks are beside it and were not graded: {others}"] if others else []
    return taken


def take_in_bytes(content: bytes, lesson: Lesson, language: str = "en") -> Taken:
    """Read and mend a submitted file's content; no content raises an error. `language`: as in `take_in`."""
    try:
        notebook, mended = read(content)
        language = notebook.metadata["workbook"]["language"] or _language_of(notebook, lesson) or language
        taken = mend(notebook, lesson, language)
        taken.mended = mended + taken.mended
        return taken
    except Refused as refusal:
        return refuse(lesson, refusal, language)


def owners_of(content: bytes, lesson: Lesson) -> dict[int, list[str]]:
    """Return the names of the release's cells whose text is in each cell of a file, by the file's cell number.

    An editor may have merged several of the release's cells into one. Raises: Refused.
    """
    owners: dict[int, list[str]] = {}
    for piece in pieces_of(read(content)[0].cells, Known.of(lesson), [prose_of(lesson, "en")]):
        if number := re.match(r"own-(\d+)", piece.id):
            owners.setdefault(int(number[1]), []).append(piece.owner)
    return owners


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


def _language_of(notebook: NotebookNode, lesson: Lesson) -> str:
    """Return the language whose prose is in a notebook without metadata, "" for none."""
    text = letters("".join(cell.source for cell in notebook.cells))  # of code, too: an editor may have changed its type
    found = {language: sum(map(text.count, prose_of(lesson, language).whole.values())) for language in LANGUAGES}
    return max(found, key=found.__getitem__) if any(found.values()) else ""


def mend(notebook: NotebookNode, lesson: Lesson, language: str) -> Taken:
    """Return the release's cells in the release's order, with the student's answers and own cells in them.

    Raises: Refused when nothing in the notebook belongs to the lesson.
    """
    release, known = without_cells(lesson), Known.of(lesson)
    clues = {clue for cell in notebook.cells for clue in cell.metadata.get("clues", [])}
    languages = dict.fromkeys((language, "en"))  # a text that is not translated is shown in English
    pieces = pieces_of(notebook.cells, known, [prose_of(lesson, name) for name in languages])
    code, essays = find_code(pieces, known), find_essays(pieces, known)
    submitted: dict[str, list[Piece]] = {name: [] for name in known.managed}
    for piece in pieces:
        if piece.owner in submitted:
            submitted[piece.owner].append(piece)
    # A complete notebook is of this lesson, even if cells of another one were pasted into it.
    if not all(submitted.values()) and (other := _other_lesson(lesson, submitted, clues)):
        raise WrongLesson(
            N_("This is the notebook of the lesson {other}; hand in that of the lesson {lesson}."),
            other=other,
            lesson=lesson.name,
        )
    if not any(submitted.values()):
        raise WrongLesson(N_("This is another notebook: no cell of the lesson {lesson} is in it."), lesson=lesson.name)
    taken = Taken(release, language)
    lost = [name for name, given in submitted.items() if given and not any(piece.labelled for piece in given)]
    if lost := [name for name in lost if name not in code.moved]:
        taken.mended.append(
            Message(
                N_("The labels that nbgrader needs had been lost (by an editor) and were restored in: {cells}."),
                {"cells": ", ".join(lost)},
            )
        )
    notes, own = Notes(), _own_cells(pieces, known)
    cells = own[""]
    for name, cell in known.managed.items():
        cell = as_node(cell)
        if name in essays:
            answer = answer_of(essays[name], essays, pieces, language)
            _fill_essay(cell, essays[name], *answer, notes)
        elif name in known.gaps:
            _fill_gap(cell, submitted[name], code, notes)
        else:
            _note_ours(cell, submitted[name], notes)
        cells += [cell, *own[name]]
    taken.mended += notes.messages()
    _give_ids(cells)
    release.cells, release.metadata.workbook = cells, as_node({"language": language, "lesson": lesson.name})
    return taken


def _own_cells(pieces: list[Piece], known: Known) -> dict[str, list[NotebookNode]]:
    """Return the prose and the student's own cells, by the release's cell that they follow."""
    own: dict[str, list[NotebookNode]] = {name: [] for name in ["", *known.managed]}
    before, asked = "", ""
    # In a notebook that is there twice, a cell such as `whose = ""` that was not filled in would undo the one that was.
    others = (piece for piece in pieces if piece.kind == "code" and piece.owner not in known.managed)
    heads = Counter(head_of(piece.source) for piece in others)
    for piece in pieces:
        if piece.owner in own and piece.owner:
            before, asked = piece.owner, ""
            continue
        if piece.owner and asked:  # prose behind a question whose answer is missing here
            before, asked = asked, ""
        question = piece.owner.removesuffix("-question")
        asked = question if question in known.essays else asked
        if piece.spare or piece.empty or not piece.source.strip():
            continue
        kind, text = piece.kind, piece.source
        if kind == "code" and heads[head_of(text)] > 1 and lines_of(text) in known.unfilled:
            heads[head_of(text)] -= 1
            continue
        if kind == "raw":  # a raw cell could put a script into the feedback's page
            kind, text = "markdown", f"```\n{text}\n```"
        cell = as_node(new_cell(kind, text, {}, piece.owner or piece.id))
        if piece.attachments and kind == "markdown":
            cell.attachments = as_node(piece.attachments)
        own[before].append(cell)
    return own


def _give_ids(cells: Iterable[NotebookNode]) -> None:
    """Give each cell an id of its own: the students' cells may have copied ids."""
    taken: set[str] = set()
    for cell in cells:
        # nbformat allows 64 characters, which leaves room for a number.
        number, first_id = 2, cell.id
        while cell.id in taken:
            cell.id = f"{first_id[:58]}-{number}"
            number += 1
        taken.add(cell.id)


def _note_ours(cell: NotebookNode, given: list[Piece], notes: Notes) -> None:
    """Note how a cell of ours, which is restored, was in the submission."""
    name = cell.metadata.nbgrader.grade_id
    whole = [piece for piece in given if not piece.part]
    if name == STANDING_NAME:
        return  # notebooks that were released without this cell are as good
    if not given:
        notes.say(PUT_BACK, name)
    elif len(whole) > 1:
        notes.say(TWICE, name)
    elif (
        whole
        and name != SETUP_NAME
        and (whole[0].extended or lines_of(whole[0].source.strip()) != lines_of(cell.source))
    ):
        # (The first cell differs from course to course, by the address of the modules.)
        notes.say(RESTORED, name)


def _fill_gap(cell: NotebookNode, given: list[Piece], found: Found, notes: Notes) -> None:
    """Put a student's code into its gap."""
    name, stub = cell.metadata.nbgrader.grade_id, lines_of(cell.source)
    texts = [code_in(piece.kind, piece.source) or piece.source for piece in given]
    answers = [text for text in texts if text.strip() and lines_of(text) != stub]
    untouched = any(lines_of(text) == stub for text in texts)
    if answers and untouched and not any(defined(cell.source) & assigned(text) for text in answers):
        answers.insert(0, cell.source)  # an editor has merged other code into the gap; cells below need its name
    if name in found.defined_in:
        cell.source = f"# The code of this cell is in the cell {found.defined_in[name]}."
        notes.say(MOVED, name)
        return
    if not given:
        notes.say(MISSING, name)
    elif name in found.moved | found.below:
        notes.say(BELOW if name in found.below else MOVED, name)
    elif any(piece.joined for piece in given):
        notes.say(CUT, name)
    elif len(given) > 1 and len(set(texts)) == 1:
        notes.say(TWICE, name)
    elif len(given) > 1:
        # The parts of a split cell, run in order, are the whole cell; of copies, the last definition counts.
        notes.say(JOINED, name, count=len(given))
    if any(piece.kind != "code" for piece in given):
        notes.say(RETYPED, name)
    if answers:
        cell.source = "\n\n".join(dict.fromkeys(answers))


def _fill_essay(cell: NotebookNode, essay: Essay, text: str, pictures: Pictures, notes: Notes) -> None:
    """Put a student's text into the answer's cell."""
    name = cell.metadata.nbgrader.grade_id
    labelled = [piece for piece in essay.pieces if piece.labelled]
    if text and not essay.pieces:
        cell.source = text
        notes.say(SHOWN, name)
    elif not text and not essay.in_place:
        notes.say(MISSING, name)
    elif text:
        cell.source = text
        if len(labelled) > 1 and len({piece.source for piece in labelled}) > 1:
            notes.say(JOINED, name, count=len(labelled))
        elif len(labelled) > 1:
            notes.say(TWICE, name)
        if len(labelled) < len(essay.pieces) and essay.labelled:
            notes.say(MOVED, name)
        if any(piece.kind == "code" for piece in labelled):
            notes.say(RETYPED, name)
    if pictures:
        cell.attachments = as_node(pictures)


def _other_lesson(lesson: Lesson, submitted: dict[str, list[Piece]], seen: set[str]) -> str:
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
