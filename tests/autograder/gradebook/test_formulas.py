"""Formulas on pages: all of the lessons are shown without script or network, and a student's can do no more."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.common.course import WORKBOOK
from autograder.gradebook import formulas
from autograder.gradebook.pages import TAGS, safe_markdown
from autograder.lesson.text import Lesson
from autograder.lesson.translation import translate_notebook
from tests.helpers.languages import LANGUAGES

# Formulas as a reader of the text finds them: between dollars, in two forms.
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+?\$", re.DOTALL)


def page(source: str) -> str:
    return safe_markdown({}, source)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_every_formula_of_the_lessons_is_mathml(name, language):
    counted = 0
    lesson = Lesson.load(name, WORKBOOK)
    for cell in translate_notebook(lesson.to_notebook(), language, lesson).cells:
        if cell.cell_type != "markdown":
            continue
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", cell.source, flags=re.DOTALL)
        wanted = FORMULA.findall(prose)
        counted += len(wanted)
        made = re.findall(r"<math.*?</math>", page(cell.source).replace("&nbsp;", "\u00a0"), re.DOTALL)
        assert len(made) == len(wanted), cell.id
        for formula, text in zip(wanted, made, strict=True):
            assert 'display="block"' in text or not formula.startswith("$$")
            shown = "".join(ElementTree.fromstring(text).itertext())
            assert shown.count("{") == formula.count("{cases}") / 2 + formula.count(r"\{")
            assert not set(shown) & set("\\$&" if r"\}" in formula else "\\$&}"), (formula, shown)
    assert counted > 20


def test_a_formula_is_what_it_says():
    shown = ElementTree.fromstring(formulas.mathml(r"\frac{Q^\top K}{\sqrt{d}} < 7", display=True))
    assert shown.attrib == {"display": "block"}
    fraction = shown.find(".//mfrac")
    assert ["".join(part.itertext()) for part in fraction] == ["Q⊤K", "d"]
    assert fraction.find(".//msqrt") is not None and fraction.find(".//msup") is not None
    assert "".join(shown.itertext()).endswith("<7")


def test_lines_are_set_under_one_another():
    for name in ("aligned", "align", "align*", "eqnarray"):
        shown = page(f"$$\\begin{{{name}}} a &= b \\\\ c &= d \\end{{{name}}}$$")
        assert shown.count("<mtr>") == 2 and shown.count("<mtd") == 4, name
    assert page("\\begin{align*} a &= b \\end{align*}").count("<mtd") == 2


@pytest.mark.parametrize(
    "latex",
    [
        r"a_b_c",
        r"\left(",
        "{",
        r"\frac",
        "x" * 2001,
        r"\newcommand{\a}{\b\b}\a",
        r"\def\a{xx}\a",
        "{" * 999 + "}" * 999,
    ],
)
def test_what_cannot_be_read_stays_as_latex(latex):
    shown = formulas.mathml(latex, display=False)
    assert shown.startswith("<code>") and latex.replace("&", "&amp;") in shown


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{&lt;script&gt;}",
        r"\href{javascript:alert(1)}{x}",
        r"\color{red}{x}",
        r"\hspace{-100em}x",
        r"\hspace{900em}x",
        r"\style{position:fixed}{x}",
        r"\class{a}{x}",
        r"\includegraphics{https://elsewhere.invalid/x.png}",
    ],
)
def test_nothing_in_a_formula_acts(latex):
    shown = page(f"before ${latex}$ after")
    assert not re.search(r"<script|href=|mathcolor|style=|class=|100em|900em|src=|<img", shown)
    assert shown.startswith("<p>before ") and shown.rstrip().endswith(" after</p>")


def test_a_formula_in_a_tag_stays_text():
    """What is put in after the cleaning must not end an attribute."""
    shown = page('![$\\text{" onerror="evil()}$](https://x.org) <img alt="$y$" title="$z$"> [w](https://x.org "$v$")')
    assert "<math" not in shown
    assert re.findall(r"<img[^>]*>", shown) and 'onerror="' not in shown
    parsed = Tags()
    parsed.feed(shown)
    assert {name for _, attributes in parsed.found for name, _ in attributes} <= {"alt", "title", "href"}


def test_a_picture_that_is_not_attached_leaves_its_name():
    assert page("![my <b> figure](attachment:gone.png)").strip() == "<p>my &lt;b&gt; figure</p>"


@pytest.mark.parametrize("signs", ["\ue0000\ue001", "&#xE000;0&#xE001;", "&#57344;0&#57345;"])
def test_signs_of_private_use_stand_for_nothing(signs):
    """Such signs once stood for formulas while a page was cleaned."""
    shown = page(f"{signs} $x$ {signs} $y$ <b title='{signs}'>z</b>")
    assert re.findall("<math.*?<mi>(.)</mi>.*?</math>", shown) == ["x", "y"]
    assert not re.search("<b [^>]*", shown)


def test_a_formula_of_ones_own_elements_can_do_no_more():
    shown = page('<math style="a" title="t"><mi onclick="b">x</mi><mspace width="900em"/><mpadded width="0">')
    assert shown.startswith("<p><math><mi>x</mi><mspace></mspace><mpadded>")


class Tags(HTMLParser):
    """The tags and attributes that a page holds."""

    def __init__(self):
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, attrs))


PIECES = st.sampled_from(
    [
        *("$", "$$", "\\", "{", "}", "<", ">", '"', "'", "&lt;", "x", "_", "^", "&", "\n", " onload=evil() ", "`"),
        *("\\text", "\\frac", "\\href", "\\begin{align}", "\\end{align}", "\\begin{cases}", "\\left(", "<script>"),
        *(
            "![",
            "](",
            "https://x.org",
            ")",
            "<img alt=",
            "<a href=",
            "\\left.",
            "\\color",
            "[",
            "]",
            "</math>",
            "<math>",
        ),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_page_holds_what_acts(source):
    parsed = Tags()
    parsed.feed(page(source))
    allowed = {"alt", "title", "href", "src", "width"}.union(*formulas.ELEMENTS.values())
    for tag, attributes in parsed.found:
        assert tag in TAGS | set(formulas.ELEMENTS)
        assert {name for name, _ in attributes} <= allowed
