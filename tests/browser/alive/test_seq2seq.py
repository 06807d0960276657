"""The explorer of `seq2seq` in a browser."""

import re

import pytest

from tests.helpers.alive import explored_translator
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
def sentences(pages):
    return pages("seq2seq", explored_translator().page())


def test_a_sentence_is_translated_while_it_is_typed(browser, sentences):
    with exploring(browser, sentences) as page:
        before = written(page)
        page.locator(".french input").fill("Elle cherche une RÔBE rouge.")
        after = written(page)
        assert after != before and page.locator(".near button").count() == 0
        assert page.locator(".looked .bar span").all_inner_texts() == [
            "elle", "cherche", "une", "robe", "rouge", ".", "EOS",
        ]  # fmt: skip
        page.locator(".french input").fill("elle cherche une roube .")
        settle(page)
        assert "roube" in page.locator(".near").inner_text()
        assert written(page) == after  # the last sentence that could be read stays
        page.locator(".near button", has_text="robe").click()
        settle(page)
        assert page.locator(".french input").input_value() == "elle cherche une robe ."
        page.locator(".translation .label", has_text="beam of 4").wait_for()


def test_words_are_offered_while_one_is_written(browser, sentences):
    with exploring(browser, sentences) as page:
        field = page.locator(".french input")
        before = written(page)
        field.fill("")
        field.press_sequentially("elle che")
        settle(page)
        assert page.locator(".near button").all_inner_texts() == ["cherche", "cherchons"]
        assert page.locator(".alive").get_attribute("data-stale") == "yes" and written(page) == before
        assert "still that of the sentence before" in page.locator(".spoken").inner_text()
        field.press("ArrowUp")
        assert field.get_attribute("aria-activedescendant") == page.locator(".near button").last.get_attribute("id")
        field.press("ArrowDown")
        field.press("Enter")
        settle(page)
        assert field.input_value() == "elle cherche " and page.locator(".near button").count() == 0
        assert page.locator(".alive").get_attribute("data-stale") == "" and written(page) != before
        field.press_sequentially("r")
        field.press("Escape")
        assert page.locator(".near button").count() == 0 and field.get_attribute("aria-expanded") == "false"


def test_a_score_of_a_word_unfolds(browser, sentences):
    with exploring(browser, sentences) as page:
        page.locator(".last summary").click()
        cell = page.locator("tbody tr").nth(1).locator("td").nth(2)
        cell.hover()
        settle(page)
        read = page.locator("thead th").nth(2).inner_text()
        assert f"looks at “{read}”" in page.locator(".last summary").inner_text()
        assert "chosen" in cell.get_attribute("class")
        assert page.locator(".last .strip canvas").count() == 4
        score, power, _ = page.locator(".last .steps li").all_inner_texts()
        most = float(re.search(r"score (−?[\d.]+)\)", power)[1].replace("−", "-"))
        assert figure(power) == pytest.approx(2.718281828 ** (figure(score) - most), rel=0.02, abs=1e-4)
        page.locator("[data-mistake=attend_plain_mean][role=switch]").click()
        settle(page)
        assert page.locator(".last .steps li").all_inner_texts() == ["With this mistake no score is computed at all."]


def test_a_word_of_the_translation_is_chosen_and_forced(browser, sentences):
    with exploring(browser, sentences) as page:
        before = written(page)
        page.locator(".words button").first.focus()
        page.locator(".words [aria-checked=true]").press("ArrowLeft")
        chosen = page.locator(".words button[aria-checked=true]")
        settle(page)
        assert page.locator("tr.lit th").inner_text() == chosen.inner_text()
        page.locator(".words button").nth(1).click()
        candidate = page.locator(".offers button").nth(1)
        word = candidate.inner_text()
        candidate.click()
        after = written(page)
        assert after[:2] == [before[0], word] and word != before[1]
        page.get_by_text("Let the model choose again").click()
        assert written(page) == before
        shares = [float(one.rstrip("%")) for one in page.locator(".looked b").all_inner_texts()]
        assert 97 <= sum(shares) <= 103


def test_switches_guesses_and_the_look_of_sentences(browser, sentences):
    with exploring(browser, sentences) as page:
        for switch in page.locator("[role=switch]").all():
            switch.click()
            settle(page)
            assert len(page.locator(".why").inner_text()) > 60 and written(page)
            switch.click()
        assert_every_guess_is_answered(page)
        assert_guided_in_a_few_steps(page)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 2560])
def test_sentences_fit_in_every_language(browser, pages, language, width, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    with exploring(browser, pages(f"seq2seq-{language}", explored_translator().page()), width=width) as page:
        assert_fits_and_is_filled_in(page)


def test_a_sabotaged_translator_is_caught(browser, pages, monkeypatch):
    monkeypatch.setattr("tests.helpers.alive.Additive.bend", staticmethod(lambda x: x))
    with opened(browser, pages("sabotaged-translator", explored_translator().page())) as page:
        page.locator("[role=alert]").wait_for()
        assert page.locator("svg").count() == 0
