"""The explorers' pages in a browser: pointer, keys, themes, widths, languages, mistakes, guesses, the probe."""

import io
import json
import re
from contextlib import contextmanager

import pytest
from PIL import Image

from tests.helpers.alive import (
    explored_captioner,
    explored_language_models,
    explored_translator,
    four_networks,
    network,
    sequences_of,
)
from utils.common.messages import LANGUAGES, translate
from utils.shapes1d import explorer as attention

# Milliseconds on two shared cores; on a quiet machine a move takes a tenth of this.
PATIENCE = 30_000


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Write pages, each once, and return their addresses."""
    folder = tmp_path_factory.mktemp("pages")

    def written(name: str, text: str) -> str:
        path = folder / f"{name}.html"
        path.write_text(text, encoding="utf-8")
        return path.as_uri()

    return written


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


@pytest.fixture(scope="module")
def sequences(pages):
    return pages("attention", attention.explore(four_networks()).page())


@contextmanager
def exploring(browser, address, **options):
    with opened(browser, address, **options) as page:
        page.wait_for_selector(".alive[data-ms]")
        yield page


def offs(page) -> list[str]:
    return page.locator(".cards em").all_inner_texts()


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
        page.locator(".guideme").click()
        seen = []
        while page.locator(".guide").is_visible():
            assert page.locator(".pointed").count() == 1
            seen.append(page.locator(".guide [role=status]").inner_text())
            page.keyboard.press("Enter")  # the focus is on "Next"
        assert 5 <= len(set(seen)) == len(seen) <= 8 and page.locator(".pointed").count() == 0
        page.locator(".guideme").click()
        page.keyboard.press("Escape")
        assert not page.locator(".guide").is_visible()


@pytest.mark.parametrize("width", [360, 720, 1280, 2560])
def test_nothing_overflows(browser, sequences, width):
    with exploring(browser, sequences, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        wide = page.locator(".stage").bounding_box()["width"]
        assert width * 0.35 < wide < width


def test_a_printed_page_has_no_controls(browser, scenes):
    with exploring(browser, scenes) as page:
        pressed = page.locator(".play, .tools button, .trials, .keys, .things")
        assert pressed.count() > 4 and all(one.is_visible() for one in pressed.all())
        page.emulate_media(media="print")
        assert not any(one.is_visible() for one in pressed.all()) and page.locator(".words").is_visible()


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
    with exploring(browser, address, width=360) as page:
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


# ---- captioning -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scenes(pages):
    return pages("captioning", explored_captioner().page())


def written(page) -> list[str]:
    settle(page)
    return page.locator(".words button").all_inner_texts()


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
        assert page.locator(".maps [aria-checked=true]").get_attribute("aria-label") == "2, head 1"


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


def figure(text: str) -> float:
    """The last number of a sentence."""
    return float(re.findall(r"−?\d+(?:\.\d+)?", text)[-1].replace("−", "-"))


def test_a_weight_of_a_head_unfolds(browser, scenes):
    with exploring(browser, scenes) as page:
        page.locator(".last summary").click()
        settle(page)
        assert "mean" not in page.locator(".maps [aria-checked=true]").get_attribute("aria-label")
        page.locator(".maps button").nth(5).locator("canvas").click(position={"x": 3, "y": 3})
        settle(page)
        title, steps = page.locator(".last summary").inner_text(), page.locator(".last .steps li").all_inner_texts()
        assert "head 2 of layer 2" in title and "row 1, column 1" in title and len(steps) == 4
        assert page.locator(".map .chosen").count() == 1
        assert figure(steps[1]) == pytest.approx(figure(steps[0]) / 6**0.5, abs=0.01)  # d = 6
        page.locator(".last .slider input").press("ArrowRight")
        assert "row 1, column 2" in page.locator(".last summary").inner_text()
        page.locator(".last .vectors").press("ArrowRight")
        assert page.locator(".last .vectors").get_attribute("aria-valuetext").startswith("component 2: ")
        page.locator(".among .bar").first.click()
        assert "“<START>”" in page.locator(".last summary").inner_text()
        page.locator(".maps button").nth(3).click()
        assert "on average" in page.locator(".last summary").inner_text()


def test_play_goes_from_word_to_word_and_stops(browser, scenes):
    with exploring(browser, scenes) as page:
        page.locator(".words button").nth(3).click()
        page.locator(".play").click()
        page.wait_for_selector(".words button:nth-child(1)[aria-checked=true]")
        page.wait_for_selector(".words button:nth-child(2)[aria-checked=true]")
        assert page.locator(".threads path").count() > 0
        page.locator(".play").click()
        chosen = page.locator(".words [aria-checked=true]").inner_text(), page.locator(".play").inner_text()
        page.wait_for_timeout(1200)
        assert chosen == (page.locator(".words [aria-checked=true]").inner_text(), "▶ Play")


@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_nothing_moves_by_itself_for_who_wants_no_motion(browser, scenes, wish):
    page = browser.new_page(reduced_motion=wish)
    page.goto(scenes)
    page.wait_for_selector(".threads path.flow", state="attached")
    moving = page.locator(".flow").first.evaluate("(path) => getComputedStyle(path).animationName")
    assert moving == ("flow" if wish == "no-preference" else "none")
    page.close()


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
@pytest.mark.parametrize("width", [360, 2560])
def test_scenes_fit_in_every_language(browser, pages, language, width, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    with exploring(browser, pages(f"captioning-{language}", explored_captioner().page()), width=width) as page:
        assert_fits_and_is_filled_in(page)


def test_a_sabotaged_captioner_is_caught(browser, pages):
    with opened(browser, pages("sabotaged-captioner", explored_captioner(scale=1.0).page())) as page:
        page.locator("[role=alert]").wait_for()
        assert page.locator("svg").count() == 0


# ---- seq2seq --------------------------------------------------------------------------------------------------


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
@pytest.mark.parametrize("width", [360, 2560])
def test_sentences_fit_in_every_language(browser, pages, language, width, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    with exploring(browser, pages(f"seq2seq-{language}", explored_translator().page()), width=width) as page:
        assert_fits_and_is_filled_in(page)


def test_a_sabotaged_translator_is_caught(browser, pages, monkeypatch):
    monkeypatch.setattr("tests.helpers.alive.Additive.bend", staticmethod(lambda x: x))
    with opened(browser, pages("sabotaged-translator", explored_translator().page())) as page:
        page.locator("[role=alert]").wait_for()
        assert page.locator("svg").count() == 0


# ---- gpt ------------------------------------------------------------------------------------------------------


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
        assert last.locator(".at").get_attribute("data-place") == "12" and "looks most at" in pointed
        last.focus()
        last.press("ArrowRight")
        settle(page)
        assert last.locator(".at").get_attribute("data-place") == "13" and said.inner_text() != pointed
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
        assert len(steps) >= 3 and re.search(r"\d%", page.locator(".last summary").inner_text())


def test_switches_guesses_and_the_look_of_tales(browser, tales):
    with writing(browser, tales) as page:
        for switch in page.locator("[role=switch]").all():
            switch.click()
            finish(page)
            assert len(page.locator(".why").inner_text()) > 60
            switch.click()
        assert_every_guess_is_answered(page)
        assert_guided_in_a_few_steps(page)


@pytest.mark.parametrize(("language", "width"), [("en", 360), ("fr", 360), ("zh", 360), ("fr", 2560)])
def test_tales_fit_in_every_language(browser, pages, language, width, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    with writing(browser, pages(f"gpt-{language}", explored_language_models().page()), width=width) as page:
        assert_fits_and_is_filled_in(page)


def test_a_sabotaged_language_model_is_caught(browser, pages):
    with opened(browser, pages("sabotaged-gpt", explored_language_models(values_turned=True).page())) as page:
        page.locator("[role=alert]").wait_for()
        assert page.locator(".tales").count() == 0


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
