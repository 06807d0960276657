"""The filling of prose: lines move, and nothing that a reader sees."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from autograder.common.course import WORKBOOK
from autograder.course import build
from autograder.lesson import translation
from autograder.lesson.text import Lesson
from autograder.lesson.wrapping import WIDTH, markdown, tidy, unwrapped, wrapped

WORDS = ["of", "*whom*", "**By the end**", "$S \\cdot T$", "`a @ b`", "[two words](https://a.b)", "<https://a.b>"]
WORDS += ["$$x y$$", "-", "1.", "+", "#", "=", "|", "::", "~~~", ">x", "(2014).", "d’où\u00a0:", "https://a.b/c_d_e"]
TABLE, CODE, FORMULA = "| a |\n| - |\n| b |\n\n", "```\na  b\n c\n```\n", "$$a\n  b$$\n\n"
BEFORE = ["", "- ", "12. ", "> ", "  - ", "# Title\n\n", TABLE, CODE, FORMULA]


def shown(source: str, render) -> list[str]:
    """Return what a reader sees: the HTML, whose line breaks are spaces."""
    return re.split("[ \n]+", render(source))


def prose_cells() -> list[str]:
    cells = [cell for name in list(WORKBOOK.lessons) for cell in Lesson.load(name, WORKBOOK).to_notebook().cells]
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


@pytest.mark.parametrize("render", [markdown().render, markdown2html_mistune], ids=["markdown-it", "nbconvert"])
def test_every_cell_of_the_lessons_shows_the_same_at_any_width(render):
    cells = prose_cells()
    assert len(cells) > 130
    for cell in cells:
        for width in (0, 40, WIDTH):
            assert shown(wrapped(cell, width), render) == shown(cell, render), cell


@given(st.lists(st.tuples(st.sampled_from(BEFORE), st.lists(st.sampled_from(WORDS), min_size=1)), min_size=1))
def test_any_prose_shows_the_same_and_is_filled_once(blocks):
    text = "\n\n".join(before + " ".join(["Word", *words]) for before, words in blocks)
    for width in (0, 29, 61):
        filled = wrapped(text, width)
        assert shown(filled, markdown().render) == shown(text, markdown().render)
        assert wrapped(filled, width) == filled
        assert unwrapped(filled) == unwrapped(text)


def test_lines_are_full_and_nothing_whole_is_broken():
    text = "- Its element $(n,\n  m)$\n  is the `dot product` of two rows, by\n  definition. 1998 + 2\n  years on."
    assert wrapped(text, 31).split("\n") == [
        "- Its element $(n, m)$ is the",
        "  `dot product` of two rows, by",
        "  definition. 1998 + 2 years",
        "  on.",
    ]


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_the_lessons_are_tidy(name):
    assert build.tidy_all([Lesson.load(name, WORKBOOK)], check=True) == [], "run `make format`"
    assert max(map(len, tidy(Lesson.load(name, WORKBOOK)).split("\n"))) <= 120


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
@pytest.mark.parametrize("language", translation.TRANSLATED)
def test_a_new_filling_loses_no_translation(name, language):
    lesson = Lesson.load(name, WORKBOOK)
    notebook = lesson.to_notebook()
    expected = [cell.source for cell in translation.translate_notebook(notebook, language, lesson).cells]
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata:
            cell.source = wrapped(cell.source, 60)
    assert [cell.source for cell in translation.translate_notebook(notebook, language, lesson).cells] == expected
