"""The pages that a course's files are, opened by axe-core: feedback in each language, the report, the term page."""

from pathlib import Path

import pytest

from autograder.common.course import Course
from autograder.course import new
from autograder.gradebook import converters, grade
from autograder.lesson.compose import compose, hand_in
from autograder.reports import report, term
from tests.attacks.corpus import ATTENTION, LESSON
from tests.helpers import axe
from tests.helpers.languages import LANGUAGES

pytest.importorskip("playwright", reason="needs the extra `browser`")
WRONG = "def loss_function(prediction, target):\n    return (prediction - target).abs().mean()\n"
TABLE = "Two `layers`:\n\n| width | error |\n|---|---|\n| 5 | 0.3 |\n\n```python\nprint('" + "wide " * 60 + "')\n```\n"
PAGES = {f"feedback/{language}/{LESSON}/{LESSON}": language for language in LANGUAGES}
PAGES |= {f"report/{LESSON}": "en", "report/term": "en"}


@pytest.fixture(scope="module")
def course(browser, tmp_path_factory, store) -> Course:
    """A class of three, one in each language, with a mistake, an essay and a question that was left empty."""
    folder = tmp_path_factory.mktemp("access") / "term"
    new.make(folder, "dl-26", "en")
    answers = {"loss": WRONG, next(iter(ATTENTION.essays)): TABLE}
    for language in LANGUAGES:
        hand_in(compose(ATTENTION, answers, language=language), Course(folder), language, LESSON)
    grade.grade(LESSON, course=Course(folder))
    converters.feedback(Course(folder), LESSON)
    report.write_report(Course(folder), ATTENTION)
    term.write_term(Course(folder))
    return Course(folder)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", axe.SIZES)
def test_a_courses_pages_break_no_rule_of_access(browser, course, scheme, size):
    for name, language in PAGES.items():
        page = browser.new_page(viewport=axe.SIZES[size], color_scheme=scheme)
        page.goto(Path(course / f"{name}.html").as_uri())
        for fold in page.locator("summary").all():
            fold.click()
        assert axe.faults(page, contrast=size == "wide" and language == "en") == [], name
        assert not axe.scrolls_sideways(page), name
        assert page.locator("html").get_attribute("lang").startswith(language)
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
