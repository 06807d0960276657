"""An explorer's page: its words, its modules, its policy; its output in a notebook; and what a hostile message does."""

import base64
import html
import io
import re
import subprocess
from html.parser import HTMLParser
from importlib import import_module

import nbformat
import pytest
import torch
from nbconvert import HTMLExporter
from PIL import Image
from torch import nn

from autograder.common.course import WORKBOOK
from autograder.sandbox.inside.shell import CapturedOutputs
from tests.helpers.alive import (
    NODE,
    explored_captioner,
    explored_language_models,
    explored_translator,
    four_networks,
    in_node,
    network,
    sequences_of,
)
from tests.helpers.languages import LANGUAGES
from tests.helpers.memories import explored_memories
from utils.alive import page
from utils.alive.weights import BITS, BLOCK, CannotExport, in_blocks, packed
from utils.alive.words import COMMON
from utils.attention import explorer as attention
from utils.common.messages import translations
from utils.common.progress import REHEARSAL_VARIABLE

WORDS = {lesson: import_module(f"utils.{lesson}.explorer").WORDS for lesson in WORKBOOK.lessons}
EXPLORERS = {
    "attention": lambda: attention.explore(four_networks()),
    "captioning": explored_captioner,
    "seq2seq": explored_translator,
    "gpt": explored_language_models,
    "recall": explored_memories,
}
# The bytes of a lesson's code; its weights come on top.
MOST_CODE = 80_000


def asked_for(lesson: str) -> tuple[set[str], set[str]]:
    """The keys of words in a lesson's modules: whole ones, and beginnings (`why_`) that a name follows."""
    text = page.modules(f"{lesson}/page/explorer.js")
    whole = set(re.findall(r'(?:say|step)\("(\w+)"', text)) | set(re.findall(r'words: "(\w+)"', text))
    whole |= {key for pair in re.findall(r'(?:say|step)\([^"()]*\? "(\w+)" : "(\w+)"', text) for key in pair}
    return whole, set(re.findall(r"`(\w+_)\$\{", text)) - {"module_"}


class Frames(HTMLParser):
    """The pages in the frames of a page."""

    def __init__(self, page: str):
        super().__init__()
        self.pages: list[str | None] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "iframe":
            self.pages.append(dict(attrs)["srcdoc"])


@pytest.mark.parametrize("lesson", WORDS)
def test_every_word_that_a_page_asks_for_is_there_in_every_language(lesson):
    words = {**COMMON, **WORDS[lesson]}
    whole, begun = asked_for(lesson)
    assert whole <= set(words) and len(whole) > 30
    assert all(any(key.startswith(beginning) for key in words) for beginning in begun)
    for language in LANGUAGES[1:]:
        assert set(words.values()) <= set(translations(language))


@pytest.mark.parametrize("lesson", WORDS)
def test_no_word_is_there_that_no_page_asks_for(lesson):
    text = page.modules(f"{lesson}/page/explorer.js")
    _, begun = asked_for(lesson)
    unused = [key for key in WORDS[lesson] if not re.search(rf"\b{key}\b", text) and not key.startswith(tuple(begun))]
    assert not unused


@pytest.mark.parametrize("lesson", WORDS)
def test_a_mistake_has_a_name_and_a_sentence(lesson):
    ids = [key.removeprefix("mistake_") for key in WORDS[lesson] if key.startswith("mistake_")]
    assert all(
        f"why_{one}" in WORDS[lesson] and f'"{one}"' in page.modules(f"{lesson}/page/explorer.js") for one in ids
    )


@pytest.mark.parametrize("lesson", WORDS)
def test_a_page_is_one_file_that_loads_nothing(lesson):
    made = EXPLORERS[lesson]().page()
    assert not re.search(r"""(?:src|href)=|\bimport\b.*from|url\(|fetch\(|XMLHttpRequest|WebSocket""", made)
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in made
    assert set(re.findall(r"https?://[^\s\"')]+", made)) == {"http://www.w3.org/2000/svg"}
    assert len(page.modules(f"{lesson}/page/explorer.js")) + len(page.styles(lesson)) < MOST_CODE


@pytest.mark.parametrize("lesson", WORDS)
def test_the_joined_modules_are_valid(lesson):
    if NODE is None:
        pytest.skip("needs node")
    code = page.modules(f"{lesson}/page/explorer.js")
    ran = subprocess.run([NODE, "--check", "-"], input=code, text=True, capture_output=True)
    assert ran.returncode == 0, ran.stderr


def test_half_precision_is_read_as_numpy_writes_it():
    numbers = torch.tensor([0.0, -0.0, 1.0, -2.5, 65504.0, 6.1e-5, 5.96e-8, 0.1, -1e-7])
    found = in_node("alive/js/numbers.js", 'it.numbers(given, "f2")', packed([numbers]))
    assert found == numbers.half().tolist()


def test_blocks_are_read_as_they_are_written():
    generator = torch.Generator().manual_seed(0)
    row = torch.cat(
        [torch.randn(3 * BLOCK, generator=generator), torch.zeros(BLOCK), torch.tensor([3e-6, 1e-9, -40.0])]
    )
    row[2 * BLOCK : 3 * BLOCK] *= 1e-5
    found = torch.tensor(
        in_node("alive/js/numbers.js", 'it.numbers(given, "blocks")', in_blocks([row[:50], None, row[50:]]))
    )
    assert found.shape == row.shape
    for ours, theirs in zip(found.split(BLOCK), row.split(BLOCK), strict=True):
        largest = theirs.abs().max()
        scale = max(float(largest.half()), 6e-8)  # the least float16 above 0
        assert (ours - theirs).abs().max() <= 1.002 * scale / (2**BITS - 2) + 6e-8
    assert torch.equal(found[3 * BLOCK : 4 * BLOCK], torch.zeros(BLOCK))
    long = torch.ones(100 * BLOCK)
    assert len(in_blocks([long])) < 0.66 * len(packed([long]))


def test_a_notebook_shows_the_page_over_the_picture():
    shown = attention.explore(four_networks())
    bundle = shown._repr_mimebundle_()
    picture = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))
    assert picture.width == 900 and bundle["text/plain"] == repr(shown)
    colours = [colour for _, colour in picture.convert("RGBA").getcolors(2**20)]
    assert picture.convert("RGBA").getpixel((2, 2))[3] == 0  # the ground is the page's, light or dark
    assert min(max(red, green, blue) for red, green, blue, alpha in colours if alpha > 128) > 64  # no black text
    frame = re.search(r'<iframe sandbox="([^"]*)" title="([^"]+)" srcdoc="([^"]*)"', bundle["text/html"])
    assert frame and frame[1] == "allow-scripts" and html.unescape(frame[3]) == shown.page()
    assert f'src="data:image/png;base64,{bundle["image/png"]}"' in bundle["text/html"]
    assert len(bundle["text/html"]) < len(shown.page()) + len(bundle["image/png"]) + 20_000
    cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("execute_result", bundle)])
    converted, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert Frames(converted).pages == [shown.page()]


def test_grading_keeps_picture_and_sentence_and_draws_nothing_itself(monkeypatch):
    shown = attention.explore(four_networks())
    collected = CapturedOutputs()
    collected.data("display_data", shown._repr_mimebundle_())
    assert set(collected.items[0]["data"]) == {"image/png", "text/plain"}
    monkeypatch.setenv(REHEARSAL_VARIABLE, "1")
    assert shown._repr_mimebundle_() == {"text/plain": repr(shown)}


def test_what_the_page_cannot_compute_is_said_above_the_picture(tmp_path):
    odd = nn.Sequential(*network()[:4], nn.Tanh(), *network()[4:])
    shown = attention.explore({"task 1": (odd, sequences_of(1, count=3))})
    found = shown._repr_mimebundle_()["text/html"]
    assert "iframe" not in found and "does not know the part Tanh" in found and "data:image/png" in found
    with pytest.raises(CannotExport):
        shown.save(tmp_path / "mine.html")


def test_a_saved_page_is_in_the_notebooks_language(tmp_path, monkeypatch):
    shown = attention.explore(four_networks())
    for language in LANGUAGES:
        monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
        shown.save(tmp_path / "mine.html")
        text = (tmp_path / "mine.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}" dir="ltr">' in text
        assert {"en": "Guided look", "fr": "Visite guidée", "zh": "导览"}[language] in text


def test_a_name_that_is_markup_stays_text():
    shown = attention.explore({"task 1: </script><img src=x onerror=alert(1)>": (network(), sequences_of(1, count=3))})
    assert "</script><img" not in shown.page()
