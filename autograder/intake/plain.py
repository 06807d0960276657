"""Reads a file's bytes, none of them trusted, as a plain notebook.

The notebook has nbformat's present format. A cell keeps only what grading needs: its kind, text, attached pictures, and
the ids by which it may be recognised ("clues").
"""

import errno
import itertools
import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nbformat import NotebookNode

from autograder.common.nodes import as_node
from autograder.common.paths import MAX_BYTES, open_regular
from autograder.intake.errors import Refused
from autograder.intake.tables import in_code_page
from autograder.lesson.setup import is_carrier
from utils.common.messages import LANGUAGES, N_, Message

MAX_CELLS = 1000
MAX_SOURCE, MAX_SOURCES = 200_000, 2_000_000  # characters of a cell, and of all cells together
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")  # formats that cannot hold a script
# A picture in a text: written into it, which becomes an attachment, because it does not count as text; or in HTML.
WRITTEN_IN = re.compile(
    r"(?P<before>!\[[^\]\n]{0,200}\]\(|^\[[^\]\n]{1,200}\]: *)"
    r"<?data:image/(?P<kind>png|jpe?g|gif|webp);base64,(?P<data>[a-z0-9+/=]+)>?"
    r"|<img\b[^<>]{0,300}?\bsrc=[\"']?(?:attachment:(?P<name>[^\"'\s<>]{1,300})"
    r"|data:image/(?P<form>png|jpe?g|gif|webp);base64,(?P<code>[a-z0-9+/=]+))(?=[\"'\s>])[^<>]{0,300}>",
    re.IGNORECASE | re.MULTILINE | re.ASCII,
)
# The magics by which Databricks and IPython mark a cell of code as text, and the marks of scripts (VS Code, PyCharm,
# Databricks), where text is in comments.
MARKED_AS_TEXT = re.compile(
    r"\s*(# Databricks notebook source\s+)?(#? ?|# MAGIC )%(md(-sandbox)?|% ?\[?(markdown|md))\b\]?[^\S\n]*\n?"
)
IN_COMMENT = re.compile(r"^# ?(MAGIC ?)?", re.MULTILINE)
# Letters from which on two equal halves of a cell are a text that a lost connection has doubled; and more equal parts.
LEAST_DOUBLED, LEAST_REPEATED = 4, 40
# Replaces a cell that carried modules.
CARRIED = "# The workbook's own modules, which this notebook carried with it, are installed here."
LINK = N_("What was handed in is a link to another place; hand in the notebook itself.")


def read(content: bytes) -> tuple[NotebookNode, list[Message]]:
    """Return a file's content as a notebook of plain cells, and the list of its changes. Raises: Refused.

    The notebook's `metadata.workbook.language` is "" if the file names no language of ours.
    """
    mended: list[Message] = []
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _decoded(content)
        mended.append(Message(N_("The file was not in UTF-8; unreadable characters were replaced.")))
    if "\x00" in text:
        text = text.replace("\x00", "")
        mended.append(Message(N_("Zero bytes were removed from the file.")))
    try:
        data = json.loads(text, parse_constant=lambda _: None)
    except RecursionError:
        raise Refused(
            N_("Your file is too deeply nested to be a notebook; open it in Jupyter, save it, and hand it in again.")
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


def _decoded(content: bytes) -> str:
    """Return the text of a file that is not in UTF-8: in UTF-16 or 32, or in the code page of a Chinese or Western PC.

    A file in UTF-8 with a few damaged bytes is still read as UTF-8.
    """
    if not (wide := json.detect_encoding(content)).startswith("utf-8"):
        return content.decode(wide, errors="replace")
    text = content.decode(errors="replace")
    damaged, foreign = text.count("\ufffd"), len(text) - len(text.encode("ascii", errors="ignore"))
    return text if damaged < foreign / 2 else in_code_page(content, errors="replace")


def bytes_of(path: Path) -> bytes:
    """Return a regular file's bytes. Raises: Refused, also for a link and a pipe, which are not opened."""
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_BYTES:
                values = {"size": size // 2**20, "limit": MAX_BYTES // 2**20}
                raise Refused(
                    N_(
                        "Your file is too large ({size} MB, at most {limit}): clear all outputs, save it, "
                        "and hand it in again."
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
    """Return parsed JSON as a notebook of the current format, with plain cells. Raises: Refused."""
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
    if doubled := [cell for cell in cells if cell["metadata"].pop("doubled")]:
        mended.append(
            Message(
                N_("Cells whose text was doubled by the editor, and counts once: {count}."), {"count": len(doubled)}
            )
        )
    if unknown := sum(cell["metadata"].pop("unknown_pictures") for cell in cells):
        formats = N_("Attached pictures in a format that is not shown (PNG, JPEG, GIF and WebP are): {count}.")
        mended.append(Message(formats, {"count": unknown}))
    sizes = itertools.accumulate(len(cell["source"]) for cell in cells)
    within = [cell for cell, size in zip(cells, sizes, strict=True) if size <= MAX_SOURCES]
    if len(within) < len(cells):
        mended.append(Message(N_("Only the first {limit} characters were read."), {"limit": MAX_SOURCES}))
        cells = within
    language = _object(_object(data, "metadata"), "workbook").get("language")
    kept = {"workbook": {"language": language if language in LANGUAGES else ""}}
    return as_node({"cells": cells, "metadata": kept, "nbformat": 4, "nbformat_minor": 5})


def _object(holder: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the JSON object of this name in another one; an empty object if there is none, or something else."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def _plain_cell(cell: dict[str, Any], number: int) -> dict[str, Any]:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    source = source.removeprefix("\ufeff") if isinstance(source, str) else ""  # a mark of Windows' editors
    kind = cell.get("cell_type")
    kind = kind if kind in ("code", "markdown") else "raw"
    if kind != "raw" and (mark := MARKED_AS_TEXT.match(source)):
        text = source[mark.end() :]
        kind, source = "markdown", IN_COMMENT.sub("", text) if kind == "code" and "#" in mark[0] else text
    attached = _object(cell, "attachments") if kind == "markdown" else {}
    pictures = _pictures(attached, source)
    lost = len(attached) - len(pictures)
    if kind == "markdown" and ("base64," in source or "<img" in source):
        source = _taken_out(source, pictures)
    if is_carrier(source):  # a student's copy of the workbook's modules is not trusted
        source = CARRIED
    unit = source[: (source + source).find(source, 1)]  # the text that the source repeats, all of it if none
    least = LEAST_DOUBLED if len(source) == 2 * len(unit) else LEAST_REPEATED
    # Two equal lines are code that does something twice.
    doubled = least <= len(unit) < len(source) and not unit.endswith("\n")
    source = (unit if doubled else source)[:MAX_SOURCE]
    # Lone surrogates cannot be written as UTF-8: writing the graded notebook would fail.
    source = source.encode("utf-8", errors="replace").decode("utf-8")
    metadata = _object(cell, "metadata")
    names = (_object(metadata, "nbgrader").get("grade_id"), cell.get("id"), metadata.get("id"))
    clues = [name for name in names if isinstance(name, str)]
    plain = new_cell(kind, source, {"clues": clues, "doubled": doubled, "unknown_pictures": lost}, f"own-{number}")
    return plain | ({"attachments": pictures} if pictures else {})


def _taken_out(source: str, pictures: dict[str, dict[str, str]]) -> str:
    """Return a text in which all pictures are attachments in markdown; those in base64 are added to `pictures`.

    Pages of feedback show no attachment that is in an HTML tag.
    """

    def attach(found: re.Match[str]) -> str:
        name = found["name"] or f"picture-{len(pictures) + 1}"
        if data := found["data"] or found["code"]:
            kind = (found["kind"] or found["form"]).lower().replace("jpg", "jpeg")
            pictures[name] = {f"image/{kind}": data}
        return f"{found['before']}attachment:{name}" if found["before"] else f"![](attachment:{name})"

    return WRITTEN_IN.sub(attach, source)


def _pictures(attachments: dict[str, Any], source: str) -> dict[str, dict[str, str]]:
    """Return the attached pictures that can be shown, by the names that the text has for them."""
    kept = {}
    for name, forms in attachments.items():
        forms = forms if isinstance(forms, dict) else {}
        pictures = {kind: data for kind, data in forms.items() if kind in PICTURES and isinstance(data, str)}
        pictures = {kind: data for kind, data in pictures.items() if re.fullmatch(r"[A-Za-z0-9+/=\s]*", data)}
        if pictures:  # "my image.png" is my%20image.png in the text
            kept[name if name in source else quote(name, errors="replace")[:100]] = pictures
    return kept


def new_cell(kind: str, source: str, metadata: dict[str, Any], cell_id: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": cell_id, "metadata": metadata, "source": source}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
