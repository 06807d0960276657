"""Taking in what students hand in: whatever arrives becomes a notebook that can be graded, or a clear refusal.

Two steps. `read` turns a file's bytes into a plain notebook, trusting nothing in it. `mend` fits that
notebook to its lesson: every cell of ours is there once, in order, with the metadata of the release;
between them stand the student's own cells. Both say what they did.
"""

import codecs
import errno
import itertools
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.common.paths import MAX_BYTES, open_regular
from autograder.intake.folder import beside, is_linked, submitted_at
from autograder.lesson.release import release_notebook
from autograder.lesson.translation import TEXT_STUB, TEXT_STUBS
from utils.common.messages import LANGUAGES, N_, Message

MAX_CELLS = 1000
MAX_SOURCE = 200_000
# Characters of all cells together.
MAX_SOURCES = 2_000_000
PICTURES = ("image/png", "image/jpeg")
LINK = N_("What was handed in is a link to another place; hand in the notebook itself.")


@dataclass
class Taken:
    """A notebook that can be graded, and what was done to make it so; `refused` says why it counts as empty."""

    notebook: NotebookNode
    language: str = "en"
    mended: list[Message] = field(default_factory=list)
    refused: Message | None = None
    flags: list[str] = field(default_factory=list)  # for the instructor


class Refused(Exception):
    """The file is no notebook; `message` says why, and what to do."""

    def __init__(self, template: str, **values: Any):
        super().__init__(template)
        self.message = Message(template, values)


def take_in(path: str | os.PathLike, lesson: str) -> Taken:
    """Read and mend one submitted file; never raises for anything that is in the file."""
    try:
        return take_in_bytes(bytes_of(Path(path)), lesson)
    except Refused as refusal:
        return refuse(lesson, refusal.message)


def take_in_submission(path: str | os.PathLike, lesson: str) -> Taken:
    """The same for a file at its place in `submitted/`; a link to another's folder is refused like one to a file."""
    path = Path(path)
    taken = refuse(lesson, Message(LINK)) if is_linked(path) else take_in(path, lesson)
    _, wrong = submitted_at(path.parent)
    others = ", ".join(map(ascii, beside(path)[:3]))
    taken.flags += [wrong] if wrong else []
    taken.flags += [f"other notebooks lie beside it and were not graded: {others}"] if others else []
    return taken


def take_in_bytes(content: bytes, lesson: str) -> Taken:
    """The same for a file's content."""
    language = "en"
    try:
        notebook, mended = read(content)
        language = notebook.metadata["workbook"]["language"]
        taken = mend(notebook, lesson)
        taken.mended = mended + taken.mended
        return taken
    except Refused as refusal:
        return refuse(lesson, refusal.message, language)


def refuse(lesson: str, reason: Message, language: str = "en") -> Taken:
    """Return an empty submission that opens with the reason, in the language of what was handed in."""
    notebook = release_notebook(lesson)
    text = f"**{reason.render(language)}**"
    notebook.cells.insert(0, nbformat.from_dict(_cell("markdown", text, {}, "refused")))
    return Taken(notebook, language, refused=reason)


# ---- from bytes to a plain notebook -------------------------------------------------------------------


def read(content: bytes) -> tuple[NotebookNode, list[Message]]:
    """Return a file's content as a notebook of plain cells, and what had to be mended. Raises: Refused."""
    mended: list[Message] = []
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = content.decode("utf-16" if wide else "utf-8", errors="replace")
        mended.append(Message(N_("The file was not in UTF-8; unreadable characters were replaced.")))
    if "\x00" in text:
        text = text.replace("\x00", "")
        mended.append(Message(N_("Zero bytes were removed from the file.")))
    try:
        data = json.loads(text, parse_constant=lambda _: None)
    except RecursionError:
        raise Refused(
            N_("Your file is too deeply nested to be a notebook; open it in Jupyter, save it, hand it in again.")
        ) from None
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise Refused(
            N_(
                "Your file is not a notebook (line {line} is not valid JSON, or the file is cut short); "
                "open it in Jupyter, save it, and hand it in again."
            ),
            line=line,
        ) from None
    return _plain(data, mended), mended


def bytes_of(path: Path) -> bytes:
    """Return a regular file's bytes, without following a link or waiting on a pipe. Raises: Refused."""
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_BYTES:
                values = {"size": size // 2**20, "limit": MAX_BYTES // 2**20}
                raise Refused(
                    N_(
                        "Your file is too large ({size} MB, at most {limit}): clear all outputs, save, "
                        "hand it in again."
                    ),
                    **values,
                )
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refused(LINK) from None
        if error.errno == errno.EINVAL:
            raise Refused(N_("What was handed in is not a file.")) from None
        raise Refused(N_("Your file could not be read ({reason})."), reason=str(error.strerror)) from None


def _plain(data: Any, mended: list[Message]) -> NotebookNode:
    """Return a notebook of the current format with only what grading needs of each cell. Raises: Refused."""
    if isinstance(data, dict) and "cells" not in data and isinstance(data.get("worksheets"), list):
        sheets = [sheet["cells"] for sheet in data["worksheets"] if isinstance(sheet, dict) and "cells" in sheet]
        cells = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
        for cell in cells:
            if isinstance(cell, dict) and "input" in cell:
                cell["source"] = cell["input"]
        data = data | {"cells": cells}
        mended.append(Message(N_("The notebook was in an old format and was converted.")))
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise Refused(
            N_("Your file holds no notebook cells; hand in the notebook itself, the file that ends in .ipynb.")
        )
    if len(data["cells"]) > MAX_CELLS:
        mended.append(Message(N_("Only the first {limit} cells were read."), {"limit": MAX_CELLS}))
    cells = [
        _plain_cell(cell, number) for number, cell in enumerate(data["cells"][:MAX_CELLS]) if isinstance(cell, dict)
    ]
    sizes = itertools.accumulate(len(cell["source"]) for cell in cells)
    within = [cell for cell, size in zip(cells, sizes, strict=True) if size <= MAX_SOURCES]
    if len(within) < len(cells):
        mended.append(Message(N_("Only the first {limit} characters were read."), {"limit": MAX_SOURCES}))
        cells = within
    metadata = data.get("metadata") if isinstance(data.get("metadata"), dict) else {}
    workbook = metadata.get("workbook") if isinstance(metadata.get("workbook"), dict) else {}
    language = workbook.get("language")
    kept = {"workbook": {"language": language if language in LANGUAGES else "en"}}
    return nbformat.from_dict({"cells": cells, "metadata": kept, "nbformat": 4, "nbformat_minor": 5})


def _plain_cell(cell: dict, number: int) -> dict:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    source = (source if isinstance(source, str) else "")[:MAX_SOURCE]
    # Lone surrogates cannot be written as UTF-8 and would stop the run at its very end.
    source = source.encode("utf-8", errors="replace").decode("utf-8")
    kind = cell.get("cell_type")
    if kind not in ("code", "markdown"):  # a raw cell could put a script into the feedback's page
        kind, source = "markdown", f"```\n{source}\n```"
    metadata = cell.get("metadata") if isinstance(cell.get("metadata"), dict) else {}
    nbgrader = metadata.get("nbgrader") if isinstance(metadata.get("nbgrader"), dict) else {}
    names = (nbgrader.get("grade_id"), cell.get("id"), metadata.get("id"))
    clues = [name for name in names if isinstance(name, str)]
    plain = _cell(kind, source, {"clues": clues}, f"own-{number}")
    if kind == "markdown" and isinstance(cell.get("attachments"), dict):
        plain["attachments"] = _pictures(cell["attachments"])
    return plain


def _pictures(attachments: dict) -> dict:
    """Return attached pictures in formats that cannot hold a script."""
    kept = {}
    for name, forms in attachments.items():
        forms = forms if isinstance(forms, dict) else {}
        pictures = {kind: data for kind, data in forms.items() if kind in PICTURES and isinstance(data, str)}
        pictures = {kind: data for kind, data in pictures.items() if re.fullmatch(r"[A-Za-z0-9+/=\s]*", data)}
        if pictures:
            kept[str(name)[:100]] = pictures
    return kept


def _cell(kind: str, source: str, metadata: dict, cell_id: str) -> dict:
    cell = {"cell_type": kind, "id": cell_id, "metadata": metadata, "source": source}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


# ---- fitting a notebook to its lesson -----------------------------------------------------------------


def mend(notebook: NotebookNode, lesson: str) -> Taken:
    """Return the release's cells in the release's order, with the student's answers and own cells in them.

    Raises: Refused when nothing in the notebook belongs to the lesson.
    """
    release = release_notebook(lesson)
    managed = {cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata}
    prose = {cell.id for cell in release.cells if "nbgrader" not in cell.metadata}
    found: dict[str, list[NotebookNode]] = {name: [] for name in managed}
    # The student's own cells follow the cell of ours that they stood behind.
    own: dict[str, list[NotebookNode]] = {"": []} | {name: [] for name in managed}
    lost, before = [], ""
    for cell in notebook.cells:
        clues = cell.metadata.pop("clues", [])
        name = next((clue for clue in clues if clue in managed), None)
        if name is None and (name := _recognise(cell, managed, found)):
            lost.append(name)
        if name is None:
            if cell.cell_type != "code":
                cell.id = next((clue for clue in clues if clue in prose), cell.id)
            own[before].append(cell)
        else:
            found[name].append(cell)
            before = name
    language = notebook.metadata["workbook"]["language"]
    if not any(found.values()):
        raise Refused(N_("This is another notebook: no cell of the lesson {lesson} is in it."), lesson=lesson)
    taken = Taken(notebook, language)
    if lost:
        taken.mended.append(
            Message(
                N_("The labels that nbgrader needs had been lost (by an editor) and were restored in: {cells}."),
                {"cells": ", ".join(lost)},
            )
        )
    cells = own[""]
    for name, original in managed.items():
        cells += [_answer(name, original, found[name], language, taken.mended), *own[name]]
    taken_ids: set[str] = set()
    for cell in cells:
        number, wanted = 2, cell.id
        while cell.id in taken_ids:
            cell.id = f"{wanted[:58]}-{number}"
            number += 1
        taken_ids.add(cell.id)
    workbook = {"language": language, "lesson": lesson}
    taken.notebook = nbformat.from_dict(
        {
            "cells": cells,
            "metadata": dict(release.metadata) | {"workbook": workbook},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )
    return taken


def _recognise(cell: NotebookNode, managed: dict, found: dict) -> str | None:
    """Return the cell of ours that a cell without a mark is: by its text, or by what it defines."""
    for name, original in managed.items():
        if found[name] or not cell.source.strip():
            continue
        if cell.source.strip() == original.source.strip():
            return name
        defined = _defined(original.source)
        if original.metadata.nbgrader.solution and cell.cell_type == "code" and defined & _defined(cell.source):
            return name
    return None


def _defined(source: str) -> set[str]:
    """Return the functions and classes that a cell defines at its top."""
    return set(re.findall(r"^(?:def|class)\s+(\w+)", source, re.MULTILINE))


def _answer(
    name: str, original: NotebookNode, given: list[NotebookNode], language: str, mended: list[Message]
) -> NotebookNode:
    """Return the release's cell, holding the student's answer where it is one to be written."""
    cell = nbformat.from_dict(dict(original) | {"metadata": dict(original.metadata)})
    if not original.metadata.nbgrader.solution:
        if len(given) != 1:
            missing, twice = (
                N_("The cell {cell} was missing and was put back."),
                N_("The cell {cell} stood there twice."),
            )
            mended.append(Message(twice if given else missing, {"cell": name}))
        elif given[0].source.strip() != original.source.strip():
            mended.append(Message(N_("The cell {cell} had been changed and was restored."), {"cell": name}))
        return cell
    empty = {original.source.strip(), TEXT_STUB, *TEXT_STUBS.values(), ""}
    answers = [one.source for one in given if one.source.strip() not in empty]
    if not given:
        mended.append(Message(N_("The cell {cell} was missing; it counts as empty."), {"cell": name}))
    if len(given) > 1:
        # Copied or split: run in order, the parts are the whole, and of copies the last counts.
        mended.append(
            Message(
                N_("The cell {cell} stood there {count} times and was joined."), {"cell": name, "count": len(given)}
            )
        )
    if any(one.cell_type != original.cell_type for one in given):
        mended.append(Message(N_("The type of the cell {cell} had been changed and was restored."), {"cell": name}))
    if answers:
        cell.source = "\n\n".join(answers)
    for one in given:
        if one.get("attachments") and original.cell_type == "markdown":
            cell.attachments = one.attachments
    return cell
