"""Searches every file of a built site for lines of solutions, model answers and hidden tests.

A line is private if one of these has it, and neither a released notebook nor a page of docs has it. The index of the
site's search has single words instead of lines: it is searched for names that only private code has.
"""

import base64
import html
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import snowballstemmer

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.release import release_notebook
from autograder.lesson.text import BEGIN_SOLUTION, END_SOLUTION, between, lessons_of
from autograder.lesson.translation import LANGUAGES, model_answer, translate_notebook
from autograder.site import documents

# Shorter lines, such as `return x`, are not private, because they occur everywhere.
LINE = 16
WORDS = re.compile(r"[^\W\d]\w*")
TAGS = re.compile(r"<[^<>]*>")
EMBEDDED = re.compile(r"base64,\s*([A-Za-z0-9+/=\s]{40,})")


def found_in(folder: Path) -> list[str]:
    """Return a complaint for each private line or name in each file of a folder."""
    complaints: list[str] = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            texts = list(readings(path.read_bytes()))
            private = [line for line in lines() if any(line in text for text in texts)]
            if path.name == "searchindex.js":
                private += sorted(words() & set(WORDS.findall(texts[0])))
            complaints += [f"{path.relative_to(folder)} holds “{line}”" for line in private]
    return complaints


def readings(content: bytes) -> Iterator[str]:
    """Yield a file's texts, each in one line: the file itself, the text without tags, and the files in base64 in it."""
    text = content.decode("utf-8", errors="replace")
    yield _in_one_line(text)
    yield _in_one_line(html.unescape(TAGS.sub("", text)))
    for packed in EMBEDDED.findall(text):
        yield from readings(base64.b64decode(re.sub(r"\s", "", packed) + "=="))


def _in_one_line(text: str) -> str:
    """Return a text with a single space in place of each line break and indent, because a page may change these."""
    return " ".join(text.split())


@cache
def lines() -> frozenset[str]:
    """Return the private lines, and the path of this workbook on the maintainer's computer."""
    texts = [*_code(), *_model_answers(), str(ROOT)]
    candidates = {_in_one_line(line) for text in texts for line in text.splitlines()}
    return frozenset(line for line in candidates if len(line) >= LINE and line not in public())


@cache
def words() -> frozenset[str]:
    """Return the private names that consist of several words, as they are and as Sphinx's index shortens them."""
    stem = snowballstemmer.stemmer("english").stemWord
    known = set(WORDS.findall(public().lower()))
    known |= set(map(stem, known))
    names = {name.lower() for text in _code() for name in _names(text) if "_" in name}
    return frozenset({*names, *map(stem, names - known)} - known)


def _names(code: str) -> Iterator[str]:
    """Yield the names in a piece of code. Comments and strings are left out, because their words are common words."""
    for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(code)).readline):
        if token.type == tokenize.NAME:
            yield token.string


def _code() -> Iterator[str]:
    """Yield the code that is private: solutions, hidden tests, exams."""
    for lesson in lessons_of(WORKBOOK):
        yield from (between(cell.source, BEGIN_SOLUTION, END_SOLUTION) for cell in lesson.solutions.values())
        yield from (cell.hidden for cell in lesson.tests.values())
        yield (ROOT / "source" / lesson.name / "exam.py").read_text(encoding="utf-8")


def _model_answers() -> Iterator[str]:
    """Yield the model answers to the essays, in all languages."""
    for lesson in lessons_of(WORKBOOK):
        for essay in lesson.essays.values():
            yield essay.model_answer
            yield from (model_answer(lesson, essay, language) for language in LANGUAGES)


@cache
def public() -> str:
    """Return the released notebooks and the pages of docs, in all languages, in one line."""
    texts = []
    for language in LANGUAGES:
        pages = documents.pages(language)
        texts += [content.decode() for name, content in pages.items() if name.endswith(".md")]
        for lesson in lessons_of(WORKBOOK):
            texts += [cell.source for cell in translate_notebook(release_notebook(lesson), language, lesson).cells]
    return _in_one_line("\n".join(texts))
