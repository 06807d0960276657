"""The pages that a course's files are, opened by axe-core: feedback in each language, the report, the term page."""

from pathlib import Path

import pytest

from autograder.common.course import Course
from autograder.course import new
from autograder.gradebook import converters, grade
from autograder.gradebook import pages as feedback_pages
from autograder.lesson.compose import compose, hand_in
from autograder.reports import report, term
from tests.attacks.corpus import ATTENTION, LESSON
from tests.helpers import axe
from tests.helpers.languages import LANGUAGES
from utils.checks import standing
from utils.checks.outline import OutlineEntry
from utils.common import messages

pytest.importorskip("playwright", reason="needs the extra `browser`")
WRONG = "def update(model, optimizer, inputs, targets):\n    return 0.0\n"
TABLE = "Two `layers`:\n\n| width | error |\n|---|---|\n| 5 | 0.3 |\n\n```python\nprint('" + "wide " * 60 + "')\n```\n"
PAGES = {f"feedback/{language}/{LESSON}/{LESSON}": language for language in LANGUAGES}
PAGES |= {f"report/{LESSON}": "en", "report/term": "en"}


@pytest.fixture(scope="module")
def course(browser, tmp_path_factory, store) -> Course:
    """A class of three, one in each language, with a mistake, an essay and a question that was left empty."""
    folder = tmp_path_factory.mktemp("access") / "term"
    new.make(folder, "dl-26", "en")
    answers = {"update": WRONG, next(iter(ATTENTION.essays)): TABLE}
    for language in LANGUAGES:
        hand_in(compose(ATTENTION, answers, language=language), Course(folder), language, LESSON)
    grade.grade(LESSON, course=Course(folder))
    converters.feedback(Course(folder), LESSON)
    report.write_report(Course(folder), ATTENTION)
    term.write_term(Course(folder))
    return Course(folder)


# axe takes seconds for a page. Colours are the same in each language and at each width: contrast is measured in one.
@pytest.mark.parametrize(
    ("size", "scheme", "languages"),
    [("wide", "light", ["en"]), ("wide", "dark", ["en"]), ("phone", "light", ["fr", "zh"]), ("phone", "dark", ["en"])],
)
def test_a_courses_pages_break_no_rule_of_access(browser, course, size, scheme, languages):
    for name, language in PAGES.items():
        if language not in languages:
            continue
        page = browser.new_page(viewport=axe.SIZES[size], color_scheme=scheme)
        page.goto(Path(course / f"{name}.html").as_uri())
        for fold in page.locator("summary").all():
            fold.click()
        assert axe.faults(page, contrast=size == "wide") == [], name
        assert not axe.scrolls_sideways(page), name
        assert page.locator("html").get_attribute("lang").startswith(language)
        page.close()


# The begun catalogue of an edition that is written from right to left; all other texts are English.
BEGUN = {
    "Your answer": "إجابتك",
    "Question": "السؤال",
    "Points": "النقاط",
    "What was missing": "ما الذي نقص",
    "not graded yet": "لم يُصحَّح بعد",
    "of": "من",
    "Where you stand": "أين وصلت",
    "question": "السؤال",
    "section": "القسم",
    "points": "النقاط",
    "state": "الحالة",
    "done": "تم",
}
# For each element of a selector: the pixels between the start of its first line and the right edge of its box.
FROM_THE_RIGHT = """(selector) => [...document.querySelectorAll(selector)].map((element) => {
    const range = document.createRange(), style = getComputedStyle(element);
    range.selectNodeContents(element);
    const edge = element.getBoundingClientRect().right - parseFloat(style.paddingRight);
    return Math.abs(edge - Math.max(...[...range.getClientRects()].map((box) => box.right)));
})"""


@pytest.fixture
def begun_arabic(monkeypatch):
    """An Arabic edition that somebody has begun; what has no translation is English."""
    translations = messages.translations
    monkeypatch.setattr(messages, "translations", lambda code: BEGUN if code == "ar" else translations(code))
    monkeypatch.setattr(feedback_pages, "language_of", lambda notebook: "ar")


def test_feedback_of_a_begun_arabic_edition_is_laid_out_from_the_right(browser, course, begun_arabic):
    converters.feedback(course, LESSON, force=True, students=["zh"])
    page = browser.new_page(viewport=axe.SIZES["phone"])
    page.goto(Path(course / "feedback" / "zh" / LESSON / f"{LESSON}.html").as_uri())
    assert page.locator("html").get_attribute("dir") == "rtl" and not axe.scrolls_sideways(page)
    assert axe.faults(page, contrast=False) == []
    assert max(page.evaluate(FROM_THE_RIGHT, "#top > h1, table.marks th, table.marks td:first-child")) < 2
    # In an English sentence, the full stop is after the last word, on its right.
    last_two = """element => [2, 1].map((back) => { const text = element.firstChild, range = document.createRange();
        range.setStart(text, text.length - back); range.setEnd(text, text.length - back + 1);
        return range.getBoundingClientRect().left; })"""
    letter, stop = page.locator("p.waits bdi").evaluate(last_two)
    assert letter < stop
    assert page.locator(".next").first.inner_text().startswith("←")
    page.close()


def test_the_standing_of_a_begun_arabic_edition_is_laid_out_from_the_right(browser, begun_arabic):
    entry = OutlineEntry("loss", 2, ("loss",), {"ar": "3. Convolutions (about 20 minutes)"}, {})
    row = standing.StandingRow(entry, "Loss", standing.DONE, messages.Message(standing.STATES["done"]))
    page = browser.new_page(viewport=axe.SIZES["wide"])
    page.set_content(standing.Standing([row], "ar", standing.UPLOAD, {})._repr_html_())
    assert [cell.inner_text() for cell in page.locator("th").all()] == ["", *map(BEGUN.get, standing.COLUMNS)]
    first, *_, last = (cell.bounding_box()["x"] for cell in page.locator("th").all())
    assert first > last and max(page.evaluate(FROM_THE_RIGHT, "h3, th:not(:empty), td, p")) < 2
    # In an English heading, the number stays in front of the words.
    heading = """element => [0, 3].map((at) => { const range = document.createRange(), text = element.firstChild;
        range.setStart(text, at); range.setEnd(text, at + 1); return range.getBoundingClientRect().left; })"""
    number, word = page.locator("td a bdi").evaluate(heading)
    assert number < word
    page.close()


def test_a_fault_is_found_and_contrast_only_where_it_is_measured(browser):
    page = browser.new_page()
    page.set_content(
        '<html lang="en"><title>t</title><main><img src="data:,"><p style="color: #aaa">pale</p></main></html>'
    )
    everywhere, structure = axe.faults(page), axe.faults(page, contrast=False)
    assert [line.split(":")[0] for line in everywhere] == ["color-contrast", "image-alt"]
    assert [line.split(":")[0] for line in structure] == ["image-alt"]
    page.close()
