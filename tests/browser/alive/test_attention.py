"""The explorer of `attention` in a browser, the damage that every page notices, and a page in a notebook."""

import io
import json
import re

import pytest
from PIL import Image

from tests.helpers.alive import (
    explored_captioner,
    four_networks,
    network,
    sequences_of,
)
from tests.helpers.exploring import (
    PATIENCE,
    assert_fits_and_is_filled_in,
    begin_guide_by_keyboard,
    exploring,
    opened,
    settle,
)
from tests.helpers.languages import LANGUAGES
from utils.attention import explorer as attention
from utils.common.messages import translate


@pytest.fixture(scope="module")
def sequences(pages):
    return pages("attention", attention.explore(four_networks()).page())


def offs(page) -> list[str]:
    return page.locator(".cards em").all_inner_texts()


def test_a_shape_that_is_dragged_changes_every_answer(browser, sequences):
    with exploring(browser, sequences) as page:
        before, words = offs(page), page.locator(".shape").nth(2).get_attribute("aria-valuetext")
        knob = page.locator(".shape circle").nth(2).bounding_box()
        page.mouse.move(knob["x"] + 5, knob["y"] + 5)
        page.mouse.down()
        page.mouse.move(knob["x"] + 60, knob["y"] - 60, steps=8)
        settle(page)
        during = offs(page)
        page.mouse.up()
        assert len(before) == 4 and all(a != b for a, b in zip(before, during, strict=True))
        assert page.locator(".shape").nth(2).get_attribute("aria-valuetext") != words
        settle(page)
        assert "looks at" in page.locator(".spoken").inner_text()


def test_everything_answers_to_keys(browser, sequences):
    with exploring(browser, sequences) as page:
        shape = page.locator(".shape").first
        shape.focus()
        for key, words in {
            "ArrowRight": "triangle at 9, height 25.0", "ArrowDown": "triangle at 9, height 24.0",
            "Shift+ArrowDown": "triangle at 9, height 19.0", "t": "rectangle at 9, height 19.0",
            "Shift+ArrowLeft": "rectangle at 4, height 19.0",
        }.items():  # fmt: skip
            page.keyboard.press(key)
            settle(page)
            assert shape.get_attribute("aria-valuetext") == words
        assert page.locator(".spoken").inner_text().startswith("Position")
        page.locator(".cursor").focus()
        place = int(page.locator(".cursor").get_attribute("aria-valuenow"))
        page.keyboard.press("Shift+ArrowRight")
        assert page.locator(".cursor").get_attribute("aria-valuenow") == str(place + 5)
        page.locator(".cards [aria-checked=true]").focus()
        page.keyboard.press("ArrowRight")
        settle(page)
        assert page.locator(".cards button").nth(2).get_attribute("aria-checked") == "true"
        page.locator(".cards button").nth(0).click()
        settle(page)
        assert not page.locator(".plate").is_visible() and page.locator(".reach").get_attribute("d")


def test_every_control_has_a_name(browser, sequences):
    with exploring(browser, sequences) as page:
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, input, canvas, [role=slider], [tabindex='0']")]
            .filter((e) => !e.closest("[aria-hidden=true]") && !(e.getAttribute("aria-label") || e.textContent.trim()
              || e.closest("label")?.textContent.trim() || e.getAttribute("aria-hidden"))).map((e) => e.outerHTML)"""
        )
        assert nameless == []
        assert page.locator("[role=status]").count() >= 2


def test_the_matrix_chooses_a_number_and_unfolds_it(browser, sequences):
    with exploring(browser, sequences) as page:
        box = page.locator(".plate canvas").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.305, box["y"] + box["height"] * 0.605)
        settle(page)
        assert page.locator(".cursor").get_attribute("aria-valuenow") == "60"
        steps = page.locator(".steps li").all_inner_texts()
        title = page.locator(".number summary").inner_text()
        assert "position 60 looks at 30" in title and len(steps) == 3
        score = float(steps[0].rpartition(": ")[2].replace("−", "-"))
        power, most = (float(one.replace("−", "-")) for one in re.findall(r"−?\d[\d.]*", steps[1])[::-1])
        assert power == pytest.approx(2.718281828 ** (score - most), abs=0.01 * power + 1e-4)
        page.locator(".number input").press("ArrowRight")
        assert "looks at 31" in page.locator(".number summary").inner_text()


def test_a_mistake_is_switched_on_named_explained_and_off(browser, sequences):
    with exploring(browser, sequences) as page:
        right = offs(page)
        for switch in page.locator("[role=switch]").all():
            switch.click()
            settle(page)
            assert switch.get_attribute("aria-checked") == "true"
            assert page.locator("[role=switch][aria-checked=true]").count() == 1
            assert offs(page) != right and len(page.locator(".why").inner_text()) > 60
            chosen = page.locator(".cards [aria-checked=true] em").inner_text()
            assert page.locator(".spoken").inner_text().endswith(chosen[2:]), "the change is said, not only seen"
            switch.click()
            settle(page)
            assert offs(page) == right


def test_an_address_can_ask_for_a_mistake(browser, sequences):
    with exploring(browser, f"{sequences}#softmax_missing") as page:
        assert page.locator("[data-mistake=softmax_missing][role=switch]").get_attribute("aria-checked") == "true"


def test_a_guess_comes_before_its_answer(browser, sequences):
    with exploring(browser, sequences) as page:
        before = page.locator(".shape").first.get_attribute("aria-valuetext")
        page.locator(".trials .choices button").first.click()
        page.locator(".trials input").nth(1).check()
        assert page.locator(".shape").first.get_attribute("aria-valuetext") == before
        assert "".join(page.locator(".trials em").all_inner_texts()) == ""
        page.locator(".trials .main").click()
        settle(page)
        told = page.locator(".trials em").all_inner_texts()
        assert told == offs(page) and page.locator(".shape").first.get_attribute("aria-valuetext") != before
        good = sum(("✓" in one) == (n == 1) for n, one in enumerate(told))
        assert f"You guessed {good} of 4." in page.locator(".trials .told").inner_text()


def test_the_guided_look_points_and_waits(browser, sequences):
    with exploring(browser, sequences) as page:
        begin_guide_by_keyboard(page)
        seen = []
        while page.locator(".guide").is_visible():
            assert page.locator(".pointed").count() == 1
            seen.append(page.locator(".guide [role=status]").inner_text())
            page.keyboard.press("Enter")  # the focus is on "Next"
        assert 5 <= len(set(seen)) == len(seen) <= 8 and page.locator(".pointed").count() == 0
        page.locator(".guideme").click()
        page.keyboard.press("Escape")
        assert not page.locator(".guide").is_visible()


@pytest.mark.parametrize("width", [320, 720, 1280, 2560])
def test_nothing_overflows(browser, sequences, width):
    with exploring(browser, sequences, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        wide = page.locator(".stage").bounding_box()["width"]
        assert width * 0.35 < wide < width


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_in_both_themes(browser, sequences, theme):
    with exploring(browser, sequences, theme=theme) as page:
        assert page.locator(".alive").get_attribute("data-theme") == theme
        page.locator("[role=switch]").first.click()
        paper = page.evaluate("getComputedStyle(document.querySelector('.alive')).backgroundColor")
        for place in (".hint", ".legend", ".label", ".cards b", ".cards em", ".why", ".keys", ".told", ".axis"):
            colour = page.evaluate(f"getComputedStyle(document.querySelector({json.dumps(place)})).color")
            light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) > 4.5, (place, colour, paper)
        page.locator(".theme").click()
        assert page.locator(".alive").get_attribute("data-theme") != theme


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_speaks_the_notebooks_language(browser, pages, language, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    address = pages(f"attention-{language}", attention.explore(four_networks()).page())
    with exploring(browser, address, width=320) as page:
        assert page.locator(".hint").inner_text() == translate(attention.WORDS["hint"], language)
        assert page.locator(".alive").get_attribute("lang") == language
        assert_fits_and_is_filled_in(page)


def test_a_sabotaged_layer_is_caught_and_nothing_is_drawn(browser, pages):
    wrong = network(softmax_over=1)
    shown = attention.explore({"task 1: with attention": (wrong, sequences_of(1, count=3))})
    with opened(browser, pages("sabotaged", shown.page())) as page:
        alert = page.locator("[role=alert]")
        alert.wait_for()
        assert "task 1: with attention" in alert.inner_text() and "differ by" in alert.inner_text()
        assert page.locator("svg").count() == 0


HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def test_hostile_words_and_weights_do_nothing(browser, pages):
    text = attention.explore({f"task 1: {HOSTILE}": (network(), sequences_of(1, count=3))}).page()
    with exploring(browser, pages("hostile", text)) as page:
        settle(page)
        assert page.title() != "owned" and page.locator("img").count() == 0
        assert HOSTILE in page.locator(".cards b").first.inner_text()


@pytest.mark.parametrize("lesson", ["attention", "captioning"])  # float16, and blocks
@pytest.mark.parametrize("damage", ["short", "no base64", "no numbers"])
def test_damaged_weights_are_said_to_be_damaged(browser, pages, lesson, damage):
    sequences = {"task 1": (network(), sequences_of(1, count=3))}
    text = explored_captioner().page() if lesson == "captioning" else attention.explore(sequences).page()
    weights = re.search(r'"weights":"([^"]+)"', text)[1]
    wrong = {"short": weights[:400], "no base64": "<>" + weights[2:], "no numbers": "/////" + weights[5:]}[damage]
    page = browser.new_page()
    page.goto(pages("damaged", text.replace(weights, wrong)))
    page.locator("body", has_text=re.compile(".{20}")).wait_for()
    told = page.inner_text("main")
    assert "damaged" in told or "differ by" in told
    assert page.locator("svg").count() == 0
    page.close()


# ---- in a notebook --------------------------------------------------------------------------------------------


def test_the_picture_stays_where_scripts_are_forbidden(browser):
    bundle = attention.explore(four_networks())._repr_mimebundle_()["text/html"]
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(f"<body style='background:white'>{bundle}")
    picture = page.locator("img").bounding_box()
    assert picture["width"] > 500
    shot = page.screenshot(clip=picture | {"height": 200})
    assert len(Image.open(io.BytesIO(shot)).convert("RGB").getcolors(2**20)) > 50  # the figure, not a white frame
    context.close()


def test_the_page_runs_in_a_notebooks_frame(browser):
    bundle = attention.explore(four_networks())._repr_mimebundle_()["text/html"]
    page = browser.new_page(viewport={"width": 900, "height": 1400})
    page.set_content(bundle)
    frame = page.frame_locator("iframe")
    frame.locator(".alive[data-ms]").wait_for(timeout=PATIENCE)
    frame.locator(".shape").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    assert frame.locator(".shape").first.get_attribute("aria-valuenow") == "25"
    assert "at 9" in frame.locator(".shape").first.get_attribute("aria-valuetext")
    page.close()


@pytest.mark.parametrize("zoom", [1, 1.1, 1.25, 0.9])
def test_a_page_in_a_notebook_has_the_notebooks_theme_and_follows_it(browser, zoom):
    """The system's theme is light throughout; windows of several widths, one of them a fraction of a pixel wide."""
    bundle = attention.explore(four_networks())._repr_mimebundle_()["text/html"]
    page = browser.new_page(viewport={"width": 1000, "height": 1200}, device_scale_factor=zoom)
    page.set_content(f'<body data-jp-theme-light="true"><div id="cell" style="width: 903.4px">{bundle}</div>')
    page.frame_locator("iframe").locator(".alive[data-ms]").wait_for(timeout=PATIENCE)
    for width in ("903.4px", "700px", "517.5px"):
        page.evaluate("width => { document.getElementById('cell').style.width = width; }", width)
        for light in ("false", "true"):
            page.evaluate("light => { document.body.dataset.jpThemeLight = light; }", light)
            theme = {"true": "light", "false": "dark"}[light]
            page.frame_locator("iframe").locator(f".alive[data-theme={theme}]").wait_for(timeout=PATIENCE)
            settle(page)
            assert page.frame_locator("iframe").locator(f".alive[data-theme={theme}]").count(), width
    page.close()
