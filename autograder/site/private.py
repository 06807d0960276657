"""What no page may hold: solutions, model answers and hidden tests, looked for in every byte of a site that was built.

A line of them counts as private where no released notebook and no page of docs has it. The search's index has single
words in place of lines, so there each name in their code is looked for that stands in nothing public.
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

from autograder.common.paths import ROOT, lesson_names
from autograder.lesson.release import release_notebook
from autograder.lesson.text import BEGIN_SOLUTION, END_SOLUTION, Lesson, between
from autograder.lesson.translation import LANGUAGES, translate_notebook
from autograder.site import documents

# Letters of a line: shorter ones stand everywhere.
LINE = 16
WORDS = re.compile(r"[^\W\d]\w*")
TAGS = re.compile(r"<[^<>]*>")
EMBEDDED = re.compile(r"base64,\s*([A-Za-z0-9+/=\s]{40,})")


def found_in(folder: Path) -> list[str]:
    """Return what each file of a folder holds that is private, in a few words each."""
    complaints = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            texts = list(readings(path.read_bytes()))
            held = [line for line in lines() if any(line in text for text in texts)]
            if path.name == "searchindex.js":
                held += sorted(words() & set(WORDS.findall(texts[0])))
            complaints += [f"{path.relative_to(folder)} holds “{one}”" for one in held]
    return complaints


def readings(content: bytes) -> Iterator[str]:
    """Yield what can be read in a file: as it is, as a page shows it, and what is embedded in it."""
    text = content.decode("utf-8", errors="replace")
    yield _even(text)
    yield _even(html.unescape(TAGS.sub("", text)))
    for packed in EMBEDDED.findall(text):
        yield from readings(base64.b64decode(re.sub(r"\s", "", packed) + "=="))


def _even(text: str) -> str:
    return " ".join(text.split())


@cache
def lines() -> frozenset[str]:
    """Return the private lines; where a page breaks its lines is no matter."""
    known = public()
    found = {_even(line) for text in (*_code(), *_model_answers()) for line in text.splitlines()} | {str(ROOT)}
    return frozenset(line for line in found if len(line) >= LINE and line not in known)


@cache
def words() -> frozenset[str]:
    """Return the names of several words in private code, as the search's index writes them."""
    import snowballstemmer

    stem = snowballstemmer.stemmer("english").stemWord
    known = set(WORDS.findall(public().lower()))
    known |= set(map(stem, known))
    found = {name.lower() for text in _code() for name in _names(text) if "_" in name}
    return frozenset(form for name in found - known for form in (name, stem(name)) if form not in known)


def _names(code: str) -> Iterator[str]:
    """Yield the names in a piece of code; comments and texts have words that anybody may use."""
    for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(code)).readline):
        if token.type == tokenize.NAME:
            yield token.string


def _code() -> Iterator[str]:
    for lesson in map(Lesson.load, lesson_names()):
        for cell in lesson.solutions.values():
            yield between(cell.source, BEGIN_SOLUTION, END_SOLUTION)
        for cell in lesson.tests.values():
            yield cell.hidden
        yield (ROOT / "autograder" / "exams" / f"{lesson.name}.py").read_text(encoding="utf-8")


def _model_answers() -> Iterator[str]:
    for lesson in map(Lesson.load, lesson_names()):
        for cell in lesson.essays.values():
            yield between(cell.source, BEGIN_SOLUTION, END_SOLUTION)


@cache
def public() -> str:
    """Return all that students receive as lessons, and all pages of docs, in one line."""
    notebooks = [
        translate_notebook(release_notebook(Lesson.load(name)), language)
        for name in lesson_names()
        for language in LANGUAGES
    ]
    texts = [cell.source for notebook in notebooks for cell in notebook.cells]
    for language in LANGUAGES:
        pages = documents.pages(language)
        texts += [content.decode() for name, content in pages.items() if name.endswith(".md")]
    return _even("\n".join(texts))
