"""Lessons in three languages from one text: prose through gettext catalogues, code untouched.

`notebooks/<language>/<lesson>.po` holds each prose cell as one message; `messages.po` beside it holds
what checks and reports say. `python -m autograder translate` brings the catalogues up to date.
A cell's paragraphs stand there in one line each, so that new line breaks in a lesson's text lose no translation.

A text that was changed keeps its translation, marked fuzzy with the text that it was made from (gettext's own way):
notebooks show it with a note until a translator has looked at it, messages are shown in English.
"""

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

import polib
from nbformat import NotebookNode

from autograder.common.nodes import as_node
from autograder.common.paths import ROOT
from autograder.lesson import setup
from autograder.lesson.text import Lesson
from autograder.lesson.wrapping import unwrapped, wrapped
from utils.common.messages import N_

NOTEBOOKS = ROOT / "notebooks"
# A folder with catalogues in it is a language; the build compiles them for `utils.common.messages`.
TRANSLATED = tuple(sorted(path.parent.name for path in NOTEBOOKS.glob("*/messages.po")))
LANGUAGES = ("en", *TRANSLATED)
# The empty answer of a question that is graded by hand; it is what nbgrader itself writes.
TEXT_STUB = N_("YOUR ANSWER HERE")
STALE = N_("The English text of this cell has changed since it was translated.")
# How much a changed text must have in common with its former self; below, it is another text.
ALIKE = 0.6


def catalogue_path(language: str, name: str) -> Path:
    return NOTEBOOKS / language / f"{name}.po"


def translate_notebook(notebook: NotebookNode, language: str) -> NotebookNode:
    """Return the notebook with its prose in `language`; what the catalogue lacks stays English."""
    translated = as_node(notebook)
    path = catalogue_path(language, notebook.metadata["workbook"]["lesson"])
    catalogue = polib.pofile(str(path)) if path.exists() else polib.POFile()
    texts = {entry.msgid: entry.msgstr for entry in catalogue.translated_entries()}
    note = message(STALE, language)
    texts |= {entry.msgid: f"{entry.msgstr}\n\n*{note}*" for entry in catalogue.fuzzy_entries() if not entry.obsolete}
    for cell in translated.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == setup.SETUP_NAME:
            cell.source = setup.translated(cell.source, lambda text: message(text, language))
        if cell.cell_type != "markdown":
            continue
        if "nbgrader" in cell.metadata:
            cell.source = message(TEXT_STUB, language) if cell.source == TEXT_STUB else cell.source
        else:
            cell.source = wrapped(texts.get(unwrapped(cell.source), cell.source))
    translated.metadata["workbook"]["language"] = language
    return translated


def staleness(notebook: NotebookNode) -> str:
    """Return a sentence for who hands a notebook out if cells of it are older than their English text, else ""."""
    workbook = notebook.metadata.get("workbook", {})
    note = f"*{message(STALE, workbook.get('language', 'en'))}*"
    count = sum(cell.cell_type == "markdown" and cell.source.endswith(note) for cell in notebook.cells)
    if not count:
        return ""
    return (
        f"Cells of {workbook['lesson']} in {workbook['language']} that are older than their English text, and say so: "
        f"{count}. To mend them, type `make translate` in the workbook, and see docs/translator.md."
    )


def message(text: str, language: str) -> str:
    """Return a short text in a language, from the translators' catalogue; in English where it lacks it."""
    return _messages(catalogue_path(language, "messages")).get(text, text)


@cache
def _messages(path: Path) -> dict[str, str]:
    entries = polib.pofile(str(path)).translated_entries() if path.exists() else []
    return {entry.msgid: entry.msgstr for entry in entries}


def prose(lesson: Lesson) -> list[str]:
    """Return the lesson's texts to translate, in order, each once, a paragraph in one line."""
    cells = lesson.to_notebook().cells
    texts = [unwrapped(c.source) for c in cells if c.cell_type == "markdown" and "nbgrader" not in c.metadata]
    return list(dict.fromkeys(texts))


def update_catalogue(path: Path, language: str, texts: list[str]) -> polib.POFile:
    """Bring a catalogue up to date with `texts`: new ones added, gone ones kept as obsolete.

    A new text that is nearly one that has gone takes its translation, as fuzzy.
    """
    old = polib.pofile(str(path)) if path.exists() else polib.POFile()
    known = {entry.msgid: entry for entry in old}
    new = polib.POFile(wrapwidth=100)
    new.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Language": language}
    kept = {text: known.pop(text) for text in texts if text in known}
    for text in texts:
        entry = kept.get(text)
        if entry and entry.msgstr and not entry.obsolete:
            new.append(polib.POEntry(msgid=text, msgstr=entry.msgstr, **_staleness(entry)))
        elif entry and entry.msgstr:
            new.append(polib.POEntry(msgid=text, msgstr=entry.msgstr))  # it is back as it was
        elif former := _nearest(text, known.values()):
            known.pop(former.msgid)
            new.append(polib.POEntry(msgid=text, msgstr=former.msgstr, flags=["fuzzy"], previous_msgid=former.msgid))
        else:
            new.append(polib.POEntry(msgid=text))
    for entry in known.values():
        if entry.msgstr:
            new.append(polib.POEntry(msgid=entry.msgid, msgstr=entry.msgstr, obsolete=True))
    return new


def _staleness(entry: polib.POEntry) -> dict[str, object]:
    return {"flags": ["fuzzy"], "previous_msgid": entry.previous_msgid} if "fuzzy" in entry.flags else {}


def _nearest(text: str, gone: Iterable[polib.POEntry]) -> polib.POEntry | None:
    """Return the translated text that has gone and is most like a new one, if it is alike enough."""
    best, found = ALIKE, None
    for entry in gone:
        if entry.msgstr and not entry.obsolete:
            matcher = SequenceMatcher(None, entry.msgid, text, autojunk=False)
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
                best, found = matcher.ratio(), entry
    return found
