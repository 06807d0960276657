"""Opens explorers' pages in a browser; assertions that hold for the page of every lesson."""

import re
from contextlib import contextmanager

# The time limit of a step in milliseconds, on two shared cores; on an idle computer a step takes a tenth of this.
PATIENCE = 30_000
# More elements than an explorer's page has before the button of its guided look.
MOST_TABS = 60


@contextmanager
def opened(browser, address, width=900, theme="light"):
    """Open a page; at the end, assert that it met no error and requested no other address."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
    page.set_default_timeout(PATIENCE)
    requested, errors = [], []
    page.on("request", lambda request: requested.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(address)
    yield page
    assert [url for url in requested if url.partition("#")[0] != address.partition("#")[0]] == [] and errors == []
    page.close()


@contextmanager
def exploring(browser, address, **options):
    """Open an explorer's page, and wait until it has been drawn."""
    with opened(browser, address, **options) as page:
        page.wait_for_selector(".alive[data-ms]")
        yield page


def settle(page) -> None:
    """Wait until the page has been drawn anew and its sentence for screen readers is there."""
    # Pages draw in animation frames, which a busy computer delays more than timers.
    frames = "requestAnimationFrame(() => requestAnimationFrame(done))"
    page.evaluate(f"() => new Promise((done) => setTimeout(() => {frames}, 150))")


def assert_fits_and_is_filled_in(page) -> None:
    """Assert that the page does not scroll sideways, and that no text lacks a value."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    shown = page.locator(".alive").inner_text()
    assert "{" not in shown and "undefined" not in shown and "NaN" not in shown


def assert_every_guess_is_answered(page) -> None:
    """Assert that each trial shows a verdict on every guess."""
    for trial in page.locator(".trials .choices button").all():
        trial.click()
        page.locator(".trials form .main").click()
        settle(page)
        assert all(page.locator(".trials em").all_inner_texts())
        assert "You guessed" in page.locator(".trials .told").inner_text()


def begin_guide_by_keyboard(page) -> None:
    """Press Tab until the button of the guided look has the focus, then Enter."""
    page.locator("body").evaluate("body => body.ownerDocument.activeElement.blur()")
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.locator(".guideme:focus").count():
            break
    page.keyboard.press("Enter")
    assert page.locator(".guide").is_visible()


def assert_guided_in_a_few_steps(page) -> None:
    """Assert that the guided look is reached by Tab and ends after five to eight presses of Enter, without a mouse."""
    begin_guide_by_keyboard(page)
    steps = 0
    while page.locator(".guide").is_visible():
        steps += 1
        page.keyboard.press("Enter")
    assert 5 <= steps <= 8


def written(page) -> list[str]:
    """Return the words that the model has written on the page."""
    settle(page)
    return page.locator(".words button").all_inner_texts()


def figure(text: str) -> float:
    """Return the last number in a sentence."""
    return float(re.findall(r"−?\d+(?:\.\d+)?", text)[-1].replace("−", "-"))
