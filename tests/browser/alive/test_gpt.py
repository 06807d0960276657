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
    figure,
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
        assert "7" in page.locator(".odd").inner_text() and "There are: ⏎ ␣ ." in page.locator(".odd").inner_text()
        page.locator(".beginning input").fill("Bo met Da. " * 10)
        assert "at most 100 letters" in page.locator(".odd").inner_text() and told(page) == after
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
        page.locator(".left .play").click()
        page.wait_for_selector(".letters .later")
        page.locator(".left .play").click()


def test_a_head_is_switched_off(browser, tales):
    with writing(browser, tales) as page:
        before = told(page)
        page.locator(".heads input[type=checkbox]").last.click()
        finish(page)
        assert told(page)[0] == before[0] and told(page)[1] != before[1]
        page.get_by_text("All on", exact=True).click()
        finish(page)
        assert told(page) == before


def test_the_way_of_a_letter_is_walked_by_mouse_and_keys(browser, tales):
    with writing(browser, tales) as page:
        walk, said = page.locator(".walk"), page.locator(".walk .picture > p").first
        stages, chosen = walk.locator("[role=radio]"), walk.locator("[role=radio][aria-checked=true]")
        assert stages.count() == 9 and chosen.inner_text() == "embedding"
        chosen.focus()
        page.keyboard.press("ArrowRight")
        assert chosen.inner_text() == "query, key, value" and "head 1" in said.inner_text()
        walk.get_by_text("Next", exact=True).click()
        walk.locator(".picture input").fill("2")
        assert walk.locator(".slider output").inner_text() == "2: “o”" and walk.locator(".steps li").count() == 2
        walk.locator(".vectors").focus()
        page.keyboard.press("ArrowRight")
        numbers = walk.locator(".vectors").get_attribute("aria-valuetext")
        assert re.fullmatch(r"component 2: query, turned .+ · key, turned .+ · product .+", numbers)
        title = walk.locator(".choices b").inner_text()
        walk.get_by_label("The letter before").click()
        assert walk.locator(".choices b").inner_text() != title
        walk.locator("select").select_option(index=3)
        settle(page)
        assert page.locator(".list [role=radio][aria-checked=true]").inner_text() == "layer 2, head 1"


def test_the_parts_of_a_way_add_up_to_the_logit_of_the_chosen_letter(browser, tales):
    with writing(browser, tales) as page:
        walk = page.locator(".walk")
        walk.get_by_role("radio", name="logits").click()
        third = walk.locator(".bar").nth(2)
        logit = figure(third.locator("b").inner_text().split("→")[0])
        third.locator("button").click()
        assert walk.locator(".bar button").nth(2).evaluate("(name) => name === document.activeElement")
        walk.get_by_role("radio", name="what each part adds").click()
        added = [figure(text) for text in walk.locator(".bar b").all_inner_texts()]
        assert len(added) == 7 and sum(added) == pytest.approx(logit, abs=0.04)
        walk.get_by_role("radio", name="which head feeds which").click()
        assert walk.locator("tbody tr").count() == 5 and walk.locator("thead th").count() == 2
        page.locator(".tales .letters").first.locator("span").nth(5).click()
        settle(page)
        assert walk.locator("[role=radio]").count() == 8, "one layer feeds no other"


@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_a_walk_plays_and_moves_unless_the_reader_wants_no_motion(browser, tales, wish):
    page = browser.new_page(reduced_motion=wish)
    page.goto(tales)
    page.wait_for_selector(".alive[data-writing='']")
    page.locator(".walk .play").click()
    page.locator(".walk [role=radio][aria-checked=true]", has_text="query, key, value").wait_for()
    page.locator(".walk .play").click()
    page.locator(".walk").get_by_text("Next", exact=True).click()
    moving = page.locator(".arriving canvas").first.evaluate("(canvas) => getComputedStyle(canvas).animationName")
    assert moving == ("arrive" if wish == "no-preference" else "none")
    page.close()


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
