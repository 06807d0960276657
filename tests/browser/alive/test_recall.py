"""The explorer of `recall` in a browser."""

import pytest

from tests.helpers.exploring import (
    assert_every_guess_is_answered,
    assert_fits_and_is_filled_in,
    assert_guided_in_a_few_steps,
    exploring,
    figure,
    opened,
    settle,
)
from tests.helpers.memories import explored_memories, table_memory


@pytest.fixture(scope="module")
def memories(pages):
    return pages("recall", explored_memories().page())


def shares(page, n) -> list[str]:
    """What comes back from memory number `n`: the names and the numbers of its bars."""
    return page.locator(".lists .bars").nth(n).locator(".bar").all_inner_texts()


def test_a_guest_is_asked_for_and_moves(browser, memories):
    with exploring(browser, memories) as page:
        first = shares(page, 1)
        page.get_by_role("button", name="Demumo: 58").click()
        settle(page)
        assert shares(page, 1) != first and shares(page, 1)[0].startswith("Demumo: 58")
        page.get_by_role("button", name="Demumo moves").click()
        settle(page)
        told = page.locator(".pair", has_text="Demumo")
        assert told.count() == 2 and "old" in told.first.get_attribute("class")
        assert told.first.get_attribute("aria-label").endswith(", no longer true")
        assert told.last.get_attribute("aria-label") is None
        for n, kept in ((0, False), (1, False), (2, True)):  # only the delta rule tells the rooms apart
            named = [figure(line) for line in shares(page, n) if line.startswith("Demumo")]
            assert (len(named) < 2 or abs(named[0] - named[1]) > 0.5) is kept, n
        page.get_by_role("button", name="Reset").click()
        settle(page)
        assert shares(page, 1) == first


def test_pairs_are_told_one_after_the_other(browser, memories):
    with exploring(browser, memories) as page:
        page.get_by_role("button", name="Tell 16 more").click()
        settle(page)
        assert page.locator(".pair").count() == 25 and page.locator(".memories").inner_text().count("(guests: 24)") == 3
        page.locator(".play").click()
        page.wait_for_selector(".pair.later")
        assert page.locator(".pair.later").count() > 15
        page.locator(".play").click()


def test_a_memory_is_chosen_by_keys_and_one_number_unfolds(browser, memories):
    with exploring(browser, memories) as page:
        cards, line = page.locator(".memories button"), page.locator(".number summary")
        line.click()
        cards.nth(1).focus()
        cards.nth(1).press("ArrowRight")
        settle(page)
        assert cards.nth(2).get_attribute("aria-checked") == "true" and "(delta rule)" in line.inner_text()
        assert page.locator(".steps li").count() == 2
        cards.nth(0).click()
        settle(page)
        assert "(softmax)" in line.inner_text() and page.locator(".steps li").count() == 4
        page.get_by_role("slider", name="pair told").fill("1")
        settle(page)
        assert "Bagale: 21" in line.inner_text()


def test_strength_and_mistakes_change_what_comes_back(browser, memories):
    with exploring(browser, memories) as page:
        right = shares(page, 2)
        page.get_by_label("strength of the delta rule").fill("0")
        settle(page)
        assert all(figure(line) == 0 for line in shares(page, 2))
        page.get_by_role("button", name="Reset").click()
        page.locator("[data-mistake=delta_only_adds]").click()
        settle(page)
        assert shares(page, 2) != right and page.locator(".alive").get_attribute("data-mistake") == "delta_only_adds"
        page.locator("[data-mistake=read_all_softmax]").click()
        settle(page)
        assert shares(page, 2) == right and "so far" in page.locator(".memories button").nth(1).inner_text()


@pytest.mark.parametrize(("width", "theme"), [(1100, "light"), (900, "dark"), (320, "light")])
def test_it_fits_in_every_width_and_theme(browser, memories, width, theme):
    with exploring(browser, memories, width=width, theme=theme) as page:
        page.get_by_role("button", name="Tell 16 more").click()
        settle(page)
        assert_fits_and_is_filled_in(page)


def test_guesses_are_answered_and_the_guide_ends(browser, memories):
    with exploring(browser, memories) as page:
        assert_every_guess_is_answered(page)
        assert_guided_in_a_few_steps(page)


def test_a_memory_that_is_not_the_lessons_is_not_drawn(browser, pages):
    address = pages("recall-wrong", explored_memories(delta=table_memory).page())
    with opened(browser, address) as page:
        assert "delta rule" in page.locator(".refused").inner_text() and page.locator(".memories").count() == 0
