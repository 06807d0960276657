"""An explorer's page that is open in a browser, and what holds for the page of every lesson."""

import re
from contextlib import contextmanager

# Milliseconds on two shared cores; on a quiet machine a move takes a tenth of this.
PATIENCE = 30_000


@contextmanager
def opened(browser, address, width=900, theme="light"):
    """A page that has answered; closed with no error, and nothing asked of any other address."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
    page.set_default_timeout(PATIENCE)
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
    page.goto(address)
    yield page
    assert [url for url in asked if url.partition("#")[0] != address.partition("#")[0]] == [] and errors == []
    page.close()


@contextmanager
def exploring(browser, address, **options):
    with opened(browser, address, **options) as page:
        page.wait_for_selector(".alive[data-ms]")
        yield page


def settle(page) -> None:
    """Wait until what was asked for is drawn and spoken."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 150))")


def assert_fits_and_is_filled_in(page) -> None:
    """No sideways scrolling, and no text with a place or a number missing."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    shown = page.locator(".alive").inner_text()
    assert "{" not in shown and "undefined" not in shown and "NaN" not in shown


def assert_every_guess_is_answered(page) -> None:
    for trial in page.locator(".trials .choices button").all():
        trial.click()
        page.locator(".trials form .main").click()
        settle(page)
        assert all(page.locator(".trials em").all_inner_texts())
        assert "You guessed" in page.locator(".trials .told").inner_text()


def assert_guided_in_a_few_steps(page) -> None:
    """The guided look ends after five to eight presses of Enter."""
    page.locator(".guideme").click()
    steps = 0
    while page.locator(".guide").is_visible():
        steps += 1
        page.keyboard.press("Enter")
    assert 5 <= steps <= 8


def written(page) -> list[str]:
    settle(page)
    return page.locator(".words button").all_inner_texts()


def figure(text: str) -> float:
    """The last number of a sentence."""
    return float(re.findall(r"−?\d+(?:\.\d+)?", text)[-1].replace("−", "-"))
