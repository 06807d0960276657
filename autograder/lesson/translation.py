"""Lessons in three languages from one text: gettext catalogues translate the prose; code stays as it is.

`source/LESSON/LANGUAGE.po` holds each paragraph and each item of a list as one message, and the messages that this
lesson alone shows; `notebooks/LANGUAGE/messages.po` holds all other messages, and the paragraphs that several lessons
have in common. `python -m autograder translate` brings the catalogues up to date. Each paragraph is one line there, so
that new line breaks in a lesson's text lose no translation.

A text that was changed keeps its translation, marked as fuzzy with the former text (gettext's own way). Until a
translator has looked at it, notebooks show a lesson's old translation with a note, and messages are shown in English.
"""

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

import polib
from nbformat import NotebookNode

from autograder.common.nodes import as_node
from autograder.common.paths import ROOT
from autograder.lesson import setup
from autograder.lesson.rubric import model_of, rubric_of
from autograder.lesson.text import Cell, Lesson
from autograder.lesson.wrapping import unwrapped, wrapped
from utils.common.messages import CONTEXT_END, N_, without_context

NOTEBOOKS = ROOT / "notebooks"
# Each folder with a catalogue is a language; the build compiles the catalogues for `utils.common.messages`.
TRANSLATED = tuple(sorted(path.parent.name for path in NOTEBOOKS.glob("*/messages.po")))
LANGUAGES = ("en", *TRANSLATED)
# The empty answer of a question that is graded by hand, in nbgrader's own words.
TEXT_STUB = N_("YOUR ANSWER HERE")
STALE = N_("The English text of this cell has changed since it was translated.")
# The line of a `messages.po`'s header that marks a translation as not whole yet.
STATE, BEGUN = "X-State", "begun"
# The key in a notebook's metadata for the number of its cells that nobody has translated.
IN_ENGLISH = "in_english"
# Where the English page for students names the folder `en`.
ENGLISH_FOLDER = re.compile(r"\ben(?=/attention)|(?<=jupyter lab )en\b|(?<=from `)en(?=/`)")
# A value in a text that is filled in, like {name}; braces after a letter or a sign are a formula's.
PLACEHOLDER = re.compile(r"(?<![\\\w^}])\{[a-z_]+\}")
# Between two texts of a cell: empty lines, or the line break before an item of a list.
BETWEEN = re.compile(r"(\n(?: *\n)+|\n(?=(?:[-*+]|\d+[.)]) ))")
# Code and displayed formulas are in one text, with their empty lines.
WHOLE = re.compile(r"^```.*?^```|\$\$.*?\$\$", re.DOTALL | re.MULTILINE)
# A new text whose likeness to a former text (0 to 1) is above this is the former text, changed.
ALIKE = 0.6


def messages_path(language: str) -> Path:
    """Return the path of the catalogue of the messages that several lessons show."""
    return NOTEBOOKS / language / "messages.po"


def catalogues(language: str, lesson: Lesson) -> list[Path]:
    """Return the catalogues of a lesson in a language: the workbook's, the course's, or both."""
    return [part.source / f"{language}.po" for part in lesson.parts if part.has(f"{language}.po")]


def begun(language: str) -> bool:
    """Return whether a language's translation is marked as not whole yet: missing texts are shown in English."""
    path = messages_path(language)
    header = path.read_text(encoding="utf-8").partition("\n\n")[0] if path.exists() else ""
    return f'"{STATE}: {BEGUN}\\n"' in header


def translate_notebook(notebook: NotebookNode, language: str, lesson: Lesson) -> NotebookNode:
    """Return a lesson's notebook with its prose in `language`; its metadata say how many cells are still in English."""
    translated = as_node(notebook)
    texts, stale = dict(_messages(messages_path(language))), set()
    lacking = 0
    for catalogue in map(polib.pofile, map(str, catalogues(language, lesson))):
        texts |= {entry.msgid: entry.msgstr for entry in catalogue if entry.msgstr and not entry.obsolete}
        stale |= {entry.msgid for entry in catalogue.fuzzy_entries() if not entry.obsolete}
    for cell in translated.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == setup.SETUP_NAME:
            cell.source = setup.translated(cell.source, lambda text: message(text, language))
        if cell.cell_type != "markdown":
            continue
        if "nbgrader" in cell.metadata:
            cell.source = message(TEXT_STUB, language) if cell.source == TEXT_STUB else cell.source
        else:
            parts = parts_of(cell.source)
            lacking += any(part not in texts for part in parts[::2])
            note = f"\n\n> {message(STALE, language)}" if stale.intersection(parts) else ""
            cell.source = wrapped(_joined(parts, texts) + note)
    translated.metadata["workbook"]["language"] = language
    if lacking:
        translated.metadata["workbook"][IN_ENGLISH] = lacking
    return translated


def english_page_for(language: str, page: str) -> str:
    """Return the English page for students with a language's folder in place of `en`, for a language without a page."""
    return ENGLISH_FOLDER.sub(language, page)


def language_of(notebook: NotebookNode) -> str:
    """Return the language that a notebook's metadata name; English if they name no language of the workbook."""
    language = str(notebook.metadata.get("workbook", {}).get("language"))
    return language if language in LANGUAGES else "en"


def staleness(notebook: NotebookNode) -> str:
    """Return a warning for the instructor if cells are older than their English text, or not translated, else ""."""
    workbook = notebook.metadata.get("workbook", {})
    note = f"> {message(STALE, workbook.get('language', 'en'))}"
    count = sum(cell.cell_type == "markdown" and cell.source.endswith(note) for cell in notebook.cells)
    states = {"are older than their English text, and say so": count, "are in English": workbook.get(IN_ENGLISH, 0)}
    parts = "; that ".join(f"{state}: {number}" for state, number in states.items() if number)
    return parts and (
        f"Cells of {workbook['lesson']} in {workbook['language']} that {parts}. To bring them up to date, "
        "type `make translate` in the workbook, and see docs/translator.md."
    )


def message(text: str, language: str) -> str:
    """Return a short text in a language; in English when the translators' catalogue lacks it."""
    return _messages(messages_path(language)).get(text, without_context(text))


@cache
def _messages(path: Path) -> dict[str, str]:
    entries = polib.pofile(str(path)).translated_entries() if path.exists() else []
    return {text_of(entry): entry.msgstr for entry in entries}


def prose(lesson: Lesson) -> list[str]:
    """Return the lesson's texts to translate, each once: prose cells in order, model answers, rubrics' items and words.

    Each paragraph is a text of one line, and so is each item of a list, as in the catalogues.
    """
    cells = lesson.to_notebook().cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata]
    texts += [model_of(essay) for essay in lesson.essays.values()]
    items = [item for essay in lesson.essays.values() for item in rubric_of(essay)]
    texts += [text for item in items for text in (item.text, item.words) if text]
    return list(dict.fromkeys(part for text in texts for part in parts_of(text)[::2] if part))


def parts_of(text: str) -> list[str]:
    """Return the texts of a cell that are translated each by itself, and between any two what separates them."""
    held = WHOLE.sub(lambda whole: whole[0].replace("\n", "\0"), unwrapped(text))
    return [part.replace("\0", "\n") for part in BETWEEN.split(held)]


def _joined(parts: Iterable[str], texts: Mapping[str, str]) -> str:
    return "".join(texts.get(part, part) for part in parts)


def lesson_text(lesson: Lesson, text: str, language: str) -> str:
    """Return a text of a lesson, of a rubric for instance, in a language; in English where it is not translated."""
    texts = ChainMap(*map(_messages, [*catalogues(language, lesson), messages_path(language)]))
    return _joined(parts_of(text), texts)


def question_text(lesson: Lesson, essay: Cell, language: str) -> str:
    """Return the text of a question in a language; in English if it is not translated."""
    return lesson_text(lesson, essay.question, language)


def model_answer(lesson: Lesson, essay: Cell, language: str) -> str:
    """Return a question's model answer in a language, without its rubric; in English if it is not translated."""
    return lesson_text(lesson, model_of(essay), language)


def text_of(entry: polib.POEntry) -> str:
    """Return an entry's text in the form of `in_context`: context and text, or the text alone if it has no context."""
    return entry.msgid if entry.msgctxt is None else f"{entry.msgctxt}{CONTEXT_END}{entry.msgid}"


def entry_for(text: str, **more: Any) -> polib.POEntry:
    """Return the catalogue entry of a text; the context of a text from `in_context` becomes gettext's `msgctxt`.

    A text with values has the flag by which translators' tools hold a translation to the same values.
    """
    context, between, plain = text.rpartition(CONTEXT_END)
    has_values = PLACEHOLDER.search(plain) and not re.search("[{}]", PLACEHOLDER.sub("", plain))
    more["flags"] = [*more.get("flags", ()), *["python-brace-format"] * bool(has_values)]
    return polib.POEntry(msgid=plain, msgctxt=context if between else None, **more)


def header(language: str) -> dict[str, str]:
    """Return the header that gettext's tools ask of a catalogue; "" is the language of a template."""
    from babel.messages.plurals import get_plural  # only whoever translates has it

    return {
        "Project-Id-Version": "attention-workbook",
        "PO-Revision-Date": f"{date.today()} 00:00+0000",
        "Last-Translator": "The Attention Workbook",
        "Language-Team": language or "none",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": get_plural(language or "en").plural_forms,
    }


@dataclass(frozen=True)
class Hints:
    """Hints for translators: for each text, the files that use the text (`#:`), and a note (`#.`)."""

    places: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

    def of(self, text: str) -> dict[str, object]:
        places = [(place, "") for place in self.places.get(text, ())]
        return {"occurrences": places, "comment": self.notes.get(text, "")}


def update_catalogue(
    path: Path, language: str, texts: list[str], hints: Hints | None = None, *, same: bool = False
) -> polib.POFile:
    """Return a catalogue that is up to date with `texts`: new texts added, texts no longer used kept as obsolete.

    A new text that is nearly the same as one no longer used takes over its translation, marked as fuzzy; with `same`,
    unmarked, because the text was edited and means what it meant. The catalogue of a new language is marked as begun in
    its header, until a translator deletes that line.
    """
    old = polib.pofile(str(path)) if path.is_file() else polib.POFile()
    known = {text_of(entry): entry for entry in old}
    new = polib.POFile(wrapwidth=100)
    new.metadata = header(language) | {name: value for name, value in old.metadata.items() if name != STATE}
    if old.metadata.get(STATE) == BEGUN or (path.name == "messages.po" and not old):
        new.metadata[STATE] = BEGUN
    kept = {text: known.pop(text) for text in texts if text in known}
    for text in texts:
        hint = (hints or Hints()).of(text)
        entry = kept.get(text)
        if entry and entry.msgstr and not entry.obsolete:
            new.append(entry_for(text, msgstr=entry.msgstr, **_staleness(entry), **hint))
        elif entry and entry.msgstr:
            new.append(entry_for(text, msgstr=entry.msgstr, **hint))  # an obsolete text that is used again
        elif former := _nearest(text, known.values()):
            known.pop(text_of(former))
            fuzzy = {} if same else {"flags": ["fuzzy"], "previous_msgid": former.msgid}
            new.append(entry_for(text, msgstr=former.msgstr, **fuzzy, **hint))
        else:
            new.append(entry_for(text, **hint))
    for text, entry in known.items():
        if entry.msgstr:
            new.append(entry_for(text, msgstr=entry.msgstr, obsolete=True))
    return new


def _staleness(entry: polib.POEntry) -> dict[str, object]:
    return {"flags": ["fuzzy"], "previous_msgid": entry.previous_msgid} if "fuzzy" in entry.flags else {}


def _nearest(text: str, unused: Iterable[polib.POEntry]) -> polib.POEntry | None:
    """Return the unused entry that is most like a new text, None if no entry is alike enough."""
    best, nearest = ALIKE, None
    for entry in unused:
        if entry.msgstr and not entry.obsolete:
            matcher = SequenceMatcher(None, entry.msgid, without_context(text), autojunk=False)
            # `ratio` is slow; the quick ratios are upper bounds of it.
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
                best, nearest = matcher.ratio(), entry
    return nearest
