"""The explorer of `gpt` in a browser."""

import re
from contextlib import contextmanager

import pytest

from tests.helpers.alive import explored_language_models
from tests.helpers.exploring import (
    assert_every_guess_is_answered,
    assert_fits_and_is_filled_in,
    assert_guided_in_a_few_steps,
    exploring,
    opened,
    settle,
)


@pytest.fixture(scope="module")
def tales(pages):
    return pages("gpt", explored_language_models().page())


@contextmanager
def writing(browser, address, **options):
    with exploring(browser, address, **options) as page:
        finish(page)
        yield page


def finish(page) -> None:
    """Wait until all models have written."""
    settle(page)
    page.wait_for_selector(".alive[data-writing='']")


def told(page) -> list[str]:
    """What each model has written."""
    return page.locator(".tales .letters").all_text_contents()


def test_models_go_on_from_what_is_typed_and_chosen(browser, tales):
    with writing(browser, tales) as page:
        before = told(page)
        assert len(before) == 2 and before[0] != before[1]
        page.locator(".beginning input").fill("Bo met Da. ")
        finish(page)
        after = told(page)
        assert all(text.startswith("Bo met Da. ") for text in after) and after != before
        page.locator(".beginning input").fill("Bo met 7")
        assert "7" in page.locator(".odd").inner_text()
        page.get_by_text("Throw other dice").click()
        finish(page)
        assert told(page) != after
        page.locator(".offers button[aria-pressed=false]").first.click()
        finish(page)
        page.get_by_text("Let the model choose again").click()
        finish(page)
        assert not page.get_by_text("Let the model choose again").is_visible()


def test_a_letter_is_pointed_at_by_mouse_and_keys(browser, tales):
    with writing(browser, tales) as page:
        last, said = page.locator(".tales .letters").last, page.locator(".layer .told")
        last.locator("span").nth(12).hover()
        settle(page)
        pointed = said.inner_text()
        assert last.locator(".at").get_attribute("data-position") == "12" and "looks most at" in pointed
        last.focus()
        last.press("ArrowRight")
        settle(page)
        assert last.locator(".at").get_attribute("data-position") == "13" and said.inner_text() != pointed
        assert last.get_attribute("aria-valuetext") == said.inner_text()
        page.locator(".play").click()
        page.wait_for_selector(".letters .later")
        page.locator(".play").click()


def test_a_head_is_switched_off_and_a_weight_of_it_unfolds(browser, tales):
    with writing(browser, tales) as page:
        before = told(page)
        page.locator(".heads input[type=checkbox]").last.click()
        finish(page)
        assert told(page)[0] == before[0] and told(page)[1] != before[1]
        page.get_by_text("All on", exact=True).click()
        finish(page)
        assert told(page) == before
        page.locator(".last summary").click()
        settle(page)
        steps = page.locator(".last .steps li").all_inner_texts()
        shown = page.locator(".last summary").inner_text()
        assert len(steps) >= 3 and re.search(r"\d%", shown)
        partner = page.locator(".last input[type=range]")
        partner.fill("1" if partner.input_value() == "0" else "0")
        settle(page)
        assert page.locator(".last summary").inner_text() != shown


def test_switches_guesses_and_the_look_of_tales(browser, tales):
    with writing(browser, tales) as page:
        for switch in page.locator("[role=switch]").all():
            switch.click()
            finish(page)
            assert len(page.locator(".why").inner_text()) > 60
            switch.click()
        assert_every_guess_is_answered(page)
        assert_guided_in_a_few_steps(page)


@pytest.mark.parametrize(("language", "width"), [("en", 320), ("fr", 320), ("zh", 320), ("fr", 2560)])
def test_tales_fit_in_every_language(browser, pages, language, width, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    with writing(browser, pages(f"gpt-{language}", explored_language_models().page()), width=width) as page:
        assert_fits_and_is_filled_in(page)


def test_a_sabotaged_language_model_is_caught(browser, pages):
    with opened(browser, pages("sabotaged-gpt", explored_language_models(values_turned=True).page())) as page:
        page.locator("[role=alert]").wait_for()
        assert page.locator(".tales").count() == 0
