"""A language is a folder of catalogues: one made here goes through all that a student meets, and no English is left.

The language is English with accents. Whatever is in it has passed through a catalogue; whatever is in plain letters
has not, and must be on a list.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import polib
import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.course import catalogues
from autograder.lesson.translation import entry_for
from utils.common.messages import without_context

pytestmark = pytest.mark.whole

LANGUAGE = "xx"
ACCENTS = str.maketrans("aceilnorsuyzACEILNORSUYZ", "áçéíłñöřšüýžÁÇÉÍŁÑÖŘŠÜÝŽ")
# What a translator leaves as it is: code, formulas, places for values, addresses, marks of a page.
KEPT = re.compile(r"(?s)```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\{[^{}]*\}|\]\([^)]*\)|<[^<>]*>|https?://\S+")
# Not of a catalogue: names of code, of lessons, of languages in themselves, and Jupyter's mark of a value.
NAMES = {
    "panels": {"key", "inputs", "targets", "encoding", "mean", "std", "kind", "slot", "ground"},
    "figures": {"softmax"},
    "bundle": {"English", "captioning"},
}
NAMES["feedback"] = {"key", "attention", "Out"}


def accented(text: str) -> str:
    parts, end = [], 0
    for kept in KEPT.finditer(text):
        parts += [text[end : kept.start()].translate(ACCENTS), kept[0]]
        end = kept.end()
    return "".join([*parts, text[end:].translate(ACCENTS)])


def catalogue(path: Path, texts: list[str]) -> polib.POFile:
    made = polib.POFile()
    made.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Language": LANGUAGE}
    made.extend(entry_for(text, msgstr=accented(without_context(text))) for text in texts)
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save(str(path))
    return made


SILENT = ("style", "script", "code", "math", "title")


class Page(HTMLParser):
    """The words of a page, without those of code that is shown, and the pictures' alternative texts."""

    def __init__(self, page: str):
        super().__init__()
        self.words: list[str] = []
        self.language = ""
        self.alternatives: list[str] = []
        self.silent: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "html":
            self.language = found.get("lang") or ""
        if tag == "img":
            self.alternatives.append(found.get("alt") or "")
        if self.silent and tag == self.silent[0]:
            self.silent.append(tag)
        if not self.silent and (
            tag in ("style", "script", "code", "math", "title") or "highlight" in (found.get("class") or "")
        ):
            self.silent.append(tag)

    def handle_endtag(self, tag):
        if self.silent and tag == self.silent[0]:
            self.silent.pop()

    def handle_data(self, data):
        if not self.silent:
            self.words.append(data)


# A line of code in a panel: a call, which sets a small case up or shows the next one.
CALL = re.compile(r"(?m)^.*\w\(.*$")


def left(text: str) -> set[str]:
    """The words in plain letters, three or more of them."""
    return {word for word in re.findall(r"\w+", KEPT.sub(" ", text)) if re.fullmatch("[A-Za-z]{3,}", word)}


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> dict[str, str]:
    """What stands where, in a copy of the workbook that has one folder of catalogues more."""
    copy = tmp_path_factory.mktemp("copy") / "workbook"
    for part in ("autograder", "utils", "source", "notebooks"):
        shutil.copytree(ROOT / part, copy / part)
    for part in ("nbgrader_config.py", "pyproject.toml", "tests/helpers/fourth_language.py"):
        (copy / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / part, copy / part)
    for name, texts in catalogues.by_catalogue(WORKBOOK, catalogues.places(WORKBOOK)).items():
        written, compiled = copy / "source" / name / f"{LANGUAGE}.po", copy / "utils" / name / "made" / f"{LANGUAGE}.mo"
        if name == catalogues.SHARED:
            written = copy / "notebooks" / LANGUAGE / "messages.po"
            compiled = copy / "utils" / "locale" / LANGUAGE / "LC_MESSAGES" / "messages.mo"
        compiled.parent.mkdir(parents=True, exist_ok=True)
        compiled.write_bytes(catalogue(written, texts).to_binary())
    command = [sys.executable, "tests/helpers/fourth_language.py", LANGUAGE, str(copy.parent / "course")]
    environment = os.environ | {"PYTHONPATH": str(copy), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("place", ["release", "panels", "figures", "prints", "bundle"])
def test_no_english_is_left(places, place):
    assert len(places[place]) > 40
    text = CALL.sub("", places[place]) if place == "panels" else places[place]
    assert left(text) <= NAMES.get(place, set())


def test_no_english_is_left_in_feedback(places):
    page = Page(places["feedback"])
    assert page.language == LANGUAGE
    assert left(" ".join(page.words)) <= NAMES["feedback"]
    assert page.alternatives and not left(" ".join(page.alternatives))
