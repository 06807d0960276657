"""Explorers' modules take their words by key: each key that they name has a text, and each text is named."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK
from utils.alive.page import modules
from utils.alive.words import COMMON

UTILS = Path(__file__).parents[3] / "utils"
JS = UTILS / "alive" / "js"
PAGE = JS.parent / "page.py"  # which asks for one word itself
LESSONS = {lesson: import_module(f"utils.{lesson}.explorer").WORDS for lesson in WORKBOOK.lessons}


def source(*folders: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.glob("*.js")))


def unnamed(words: dict, text: str) -> list[str]:
    """Return the keys that no module names: whole, or as a beginning that it completes, as in `why_${mistake}`."""
    beginnings = tuple(set(re.findall(r"\b([a-z_]+_)\$\{", text)))
    return [key for key in words if not re.search(rf"\b{key}\b", text) and not key.startswith(beginnings)]


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_word_is_named_and_has_a_text(lesson):
    words, text = LESSONS[lesson], modules(f"{lesson}/page/explorer.js")
    named = set(re.findall(r'\b(?:say\(|words: )"(\w+)"', text))
    assert len(named) > 20 and named <= words.keys() | COMMON.keys()
    assert unnamed(words, text) == []


def test_each_word_of_all_explorers_is_named():
    assert (
        unnamed(COMMON, source(JS, *(UTILS / lesson / "page" for lesson in LESSONS)) + PAGE.read_text(encoding="utf-8"))
        == []
    )
