"""The explorer of `captioning` in a browser."""

import pytest

from tests.helpers.alive import explored_captioner
from tests.helpers.exploring import (
    assert_every_guess_is_answered,
    assert_fits_and_is_filled_in,
    assert_guided_in_a_few_steps,
    exploring,
    figure,
    opened,
    settle,
    written,
)
from tests.helpers.languages import LANGUAGES


@pytest.fixture(scope="module")
def scenes(pages):
    return pages("captioning", explored_captioner().page())


def test_a_thing_is_dragged_recoloured_reshaped_added_and_removed(browser, scenes):
    with exploring(browser, scenes) as page:
        words, name = written(page), page.locator(".thing").first.get_attribute("aria-label")
        box = page.locator(".thing").first.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 90, box["y"] + 90, steps=6)
        page.mouse.up()
        settle(page)
        assert page.locator(".thing").first.get_attribute("aria-label") != name
        shown = page.locator(".maps canvas").first.evaluate("(canvas) => canvas.toDataURL()")
        page.locator(".swatch").nth(3).click()
        page.locator(".option", has_text="star").click()
        settle(page)
        assert page.locator(".thing").first.get_attribute("aria-label").startswith("small green star")
        assert page.locator(".maps canvas").first.evaluate("(canvas) => canvas.toDataURL()") != shown
        page.get_by_text("Add a thing").click()
        settle(page)
        assert page.locator(".thing").count() == 3
        page.get_by_text("Remove it").click()
        settle(page)
        assert page.locator(".thing").count() == 2 and len(words) > 1


def test_a_scene_answers_to_keys(browser, scenes):
    with exploring(browser, scenes) as page:
        thing = page.locator(".thing").first
        thing.focus()
        for key, words in {
            "ArrowRight": "small red circle, 52% from the left, 26%",
            "Shift+ArrowDown": "small red circle, 52% from the left, 36%",
            "c": "small orange circle", "s": "small orange square", "z": "large orange square",
        }.items():  # fmt: skip
            page.keyboard.press(key)
            settle(page)
            assert thing.get_attribute("aria-label").startswith(words)
        page.locator(".words [aria-checked=true]").focus()
        page.keyboard.press("ArrowLeft")
        assert page.locator(".words button").nth(2).get_attribute("aria-checked") == "true"
        page.locator(".maps [aria-checked=true]").focus()
        page.keyboard.press("ArrowRight")
        assert page.locator(".maps [aria-checked=true]").get_attribute("aria-label").startswith("2, head 1: row ")


def test_a_word_that_is_forced_stays_and_the_rest_follows(browser, scenes):
    with exploring(browser, scenes) as page:
        before = written(page)
        page.locator(".words button").nth(1).click()
        other = page.locator(".offers button").nth(2)
        word = other.inner_text()
        other.click()
        after = written(page)
        assert after[0] == before[0] and after[1] == word != before[1]
        page.get_by_text("Let the model choose again").click()
        assert written(page) == before
        shares = [float(one.rstrip("%")) for one in page.locator(".offers b").all_inner_texts()]
        assert shares == sorted(shares, reverse=True)


def test_the_way_to_a_word_follows_what_is_chosen(browser, scenes):
    with exploring(browser, scenes) as page:
        walk = page.locator(".walk")
        walk.get_by_role("radio", name="score").click()
        page.locator(".maps button").nth(5).locator("canvas").click(position={"x": 3, "y": 3})
        settle(page)
        steps = walk.locator(".steps li").all_inner_texts()
        assert walk.locator("select option:checked").inner_text() == "layer 2, picture, head 2"
        assert walk.locator(".slider output").inner_text() == "row 1, column 1" and len(steps) == 2
        assert page.locator(".map .chosen").count() == 1
        assert figure(steps[1]) == pytest.approx(figure(steps[0]) / 6**0.5, abs=0.01)  # d = 6
        walk.locator(".slider input").press("ArrowRight")
        assert walk.locator(".slider output").inner_text() == "row 1, column 2"
        walk.locator(".vectors").press("ArrowRight")
        assert walk.locator(".vectors").get_attribute("aria-valuetext").startswith("component 2: query ")
        page.locator(".among .bar").first.click()
        assert walk.locator(".slider output").inner_text() == "<START>"
        walk.get_by_label("The word after").click()
        assert page.locator(".words button").nth(4).get_attribute("aria-checked") == "true"


def test_the_parts_of_a_way_add_up_to_the_logit_of_the_chosen_word(browser, scenes):
    with exploring(browser, scenes) as page:
        walk = page.locator(".walk")
        for mistake in (None, *page.locator("[role=switch]").all()):
            if mistake:
                mistake.click()
                settle(page)
            walk.get_by_role("radio", name="logits").click()
            second = walk.locator(".bar").nth(1)
            logit = figure(second.locator("b").inner_text().split("→")[0])
            second.locator("button").click()
            walk.get_by_role("radio", name="what each part adds").click()
            added = [figure(text) for text in walk.locator(".bar b").all_inner_texts()]
            assert sum(added) == pytest.approx(logit, abs=0.09)


def test_play_goes_from_word_to_word_and_stops(browser, scenes):
    with exploring(browser, scenes) as page:
        page.locator(".words button").nth(3).click()
        play = page.locator(".caption .play")
        play.click()
        page.wait_for_selector(".words button:nth-child(1)[aria-checked=true]")
        page.wait_for_selector(".words button:nth-child(2)[aria-checked=true]")
        play.click()
        chosen = page.locator(".words [aria-checked=true]").inner_text(), play.inner_text()
        page.wait_for_timeout(1200)
        assert chosen == (page.locator(".words [aria-checked=true]").inner_text(), "▶ Play")


def test_switches_guesses_and_the_look_of_scenes(browser, scenes):
    with exploring(browser, scenes) as page:
        for switch in page.locator("[role=switch]").all():
            switch.click()
            settle(page)
            assert len(page.locator(".why").inner_text()) > 60 and written(page)
            switch.click()
        assert_every_guess_is_answered(page)
        assert_guided_in_a_few_steps(page)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 2560])
def test_scenes_fit_in_every_language(browser, pages, language, width, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    with exploring(browser, pages(f"captioning-{language}", explored_captioner().page()), width=width) as page:
        assert_fits_and_is_filled_in(page)


def test_a_sabotaged_captioner_is_caught(browser, pages):
    with opened(browser, pages("sabotaged-captioner", explored_captioner(scale=1.0).page())) as page:
        page.locator("[role=alert]").wait_for()
        assert page.locator("svg").count() == 0


def test_a_printed_page_has_no_controls(browser, scenes):
    with exploring(browser, scenes) as page:
        pressed = page.locator(".play, .tools button, .trials, .keys, .things")
        assert pressed.count() > 4 and all(one.is_visible() for one in pressed.all())
        page.emulate_media(media="print")
        assert not any(one.is_visible() for one in pressed.all()) and page.locator(".words").is_visible()
