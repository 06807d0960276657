"""Lessons in three languages from one text: prose through gettext catalogues, code untouched.

`notebooks/<language>/<lesson>.po` holds each prose cell as one message; `messages.po` beside it holds
what checks and reports say. `python -m autograder translate` brings the catalogues up to date.
A cell's paragraphs stand there in one line each, so that new line breaks in a lesson's text lose no translation.
"""

import copy
from pathlib import Path

import polib
from nbformat import NotebookNode

from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.lesson.wrapping import unwrapped, wrapped
from utils.common.messages import LANGUAGES

NOTEBOOKS = ROOT / "notebooks"
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
# The empty answer of a question that is graded by hand; it is what nbgrader itself writes.
TEXT_STUB = "YOUR ANSWER HERE"
TEXT_STUBS = {"en": TEXT_STUB, "fr": "VOTRE RÉPONSE ICI", "zh": "在此作答"}


def catalogue_path(language: str, name: str) -> Path:
    return NOTEBOOKS / language / f"{name}.po"


def translate_notebook(notebook: NotebookNode, language: str) -> NotebookNode:
    """Return the notebook with its prose in `language`; what the catalogue lacks stays English."""
    translated = copy.deepcopy(notebook)
    path = catalogue_path(language, notebook.metadata["workbook"]["lesson"])
    texts = (
        {entry.msgid: entry.msgstr for entry in polib.pofile(str(path)).translated_entries()} if path.exists() else {}
    )
    for cell in translated.cells:
        if cell.cell_type != "markdown":
            continue
        if "nbgrader" in cell.metadata:
            cell.source = TEXT_STUBS[language] if cell.source == TEXT_STUB else cell.source
        else:
            cell.source = wrapped(texts.get(unwrapped(cell.source), cell.source))
    translated.metadata["workbook"]["language"] = language
    return translated


def prose(lesson: Lesson) -> list[str]:
    """Return the lesson's texts to translate, in order, each once, a paragraph in one line."""
    cells = lesson.to_notebook().cells
    texts = [unwrapped(c.source) for c in cells if c.cell_type == "markdown" and "nbgrader" not in c.metadata]
    return list(dict.fromkeys(texts))


def update_catalogue(path: Path, language: str, texts: list[str]) -> polib.POFile:
    """Bring a catalogue up to date with `texts`: new ones added empty, gone ones kept as obsolete."""
    old = polib.pofile(str(path)) if path.exists() else polib.POFile()
    known = {entry.msgid: entry for entry in old}
    new = polib.POFile(wrapwidth=100)
    new.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Language": language}
    for text in texts:
        entry = known.pop(text, None)
        new.append(polib.POEntry(msgid=text, msgstr=entry.msgstr if entry else ""))
    for entry in known.values():
        if entry.msgstr:
            new.append(polib.POEntry(msgid=entry.msgid, msgstr=entry.msgstr, obsolete=True))
    return new
