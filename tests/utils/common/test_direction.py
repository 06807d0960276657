"""Pages and panels of a language that is written from right to left begin on the right."""

import re

import pytest

from autograder.common.paths import ROOT
from utils.checks.engine.panel import Panel
from utils.checks.engine.question import Question
from utils.common.messages import direction

# Styles that name the left or the right instead of a line's start or end.
PHYSICAL = re.compile(r"(?:margin|padding|border)-(?:left|right)|text-align: ?(?:left|right)|float: ?(?:left|right)")


def test_a_language_has_its_direction():
    assert [direction(language) for language in ("en", "fr", "zh", "ar", "he")] == ["ltr", "ltr", "ltr", "rtl", "rtl"]


def test_no_style_names_left_or_right():
    files = [
        path
        for folder in ("autograder", "utils")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".css", ".j2", ".js", ".py"}
    ]
    assert len(files) > 300
    assert [path for path in files if PHYSICAL.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.made_up_texts
@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_panel_names_its_direction(language):
    page = Panel.of(Question("scaling", "Scaling", {}), [], language)._repr_html_()
    assert re.search(rf'lang="{language}"\s+dir="{direction(language)}"', page)
