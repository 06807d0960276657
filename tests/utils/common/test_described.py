"""Every figure says in the notebook's language what is to be seen on it, first in one sentence; every diagram does."""

import ast
import base64
import io
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import nbformat
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbconvert import HTMLExporter
from PIL import Image

from autograder.common.paths import ROOT
from autograder.gradebook.pages import name_picture
from tests.helpers.languages import LANGUAGES
from utils.attention import plots
from utils.attention.sequences import generate
from utils.common import figures
from utils.common.curves import Losses
from utils.common.embedded import as_image, svg_in
from utils.common.figures import described
from utils.common.messages import Message, grouped, listed, named, translations
from utils.common.progress import REHEARSAL_VARIABLE

TEXT = "Dots that mark the errors on new sequences, on a logarithmic scale: {numbers}."
SHOWN = Message(TEXT, {"numbers": "a 1 < 2"})
# This one opens figures for all others.
OPENERS = {"figures.py": "figure"}


def calls() -> list[tuple[str, ast.Call, ast.expr | None]]:
    """Return the calls in `utils` that draw, each with its file and what `description` is before it."""
    found = []
    for path in sorted((ROOT / "utils").rglob("*.py")):
        description = None
        nodes = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if hasattr(n, "lineno")]
        for node in sorted(nodes, key=lambda n: n.lineno):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "description":
                description = node.value
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if name in ("figure", "Explorer", "plt.figure", "plt.subplots", "plt.show"):
                found.append((str(path.relative_to(ROOT / "utils")), node, description))
    return found


def test_every_call_that_draws_has_a_sentence_in_every_language():
    sentences = []
    for path, call, description in calls():
        name = ast.unparse(call.func)
        if name.startswith("plt."):
            assert path == "common/figures.py", f"{path} draws a figure without a sentence"
            continue
        [message] = [keyword.value for keyword in call.keywords if keyword.arg == "describes"]
        message = description if ast.unparse(message) in ("description", "Message(description)") else message
        marked = message.args[0] if ast.unparse(message.func) == "Message" else message
        assert ast.unparse(marked.func) == "N_", path
        sentences.append(ast.literal_eval(marked.args[0]))
    assert len(set(sentences)) == len(sentences) > 18
    for language in LANGUAGES[1:]:
        assert set(sentences) <= set(translations(language))
    assert all(40 < len(text) < 250 and text.endswith(".") for text in sentences)


class Images(HTMLParser):
    """The attributes of a page's pictures."""

    def __init__(self, page: str):
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            self.found.append(dict(attrs))


@pytest.fixture
def notebooks_shell(monkeypatch):
    """IPython with figures drawn inline, as in a notebook."""
    from matplotlib_inline import backend_inline

    before = plt.get_backend()
    shell = InteractiveShell.instance()
    plt.switch_backend("module://matplotlib_inline.backend_inline")
    backend_inline.configure_inline_support(shell, backend_inline.__name__)
    yield shell
    plt.close("all")
    plt.switch_backend(before)
    InteractiveShell.clear_instance()


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "a: 1, 2; b: 3"), ("fr", "a\u00a0: 1, 2\u00a0; b\u00a0: 3"), ("zh", "a：1、2；b：3")],
)
def test_lists_have_the_signs_of_their_language(language, told, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    assert grouped([named("a", listed(["1", "2"])), named("b", listed(["3"]))]) == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_in_a_notebook(language, notebooks_shell, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", language)
    with capture_output() as captured:
        plots.plot_errors({"a": 1.0, "b < c": 0.25})
    [shown] = captured.outputs
    comma = {"zh": "、"}.get(language, ", ")
    sentence = Message(TEXT, {"numbers": f"a 1{comma}b < c 0.25"}).render(language)
    assert shown.data["text/plain"] == sentence
    [image] = Images(shown.data["text/html"]).found
    assert (image["alt"], image["lang"]) == (sentence, language)
    svg = ElementTree.fromstring(svg_in(shown.data["text/html"]))
    assert float(svg.get("width").removesuffix("pt")) > 450
    png = Image.open(io.BytesIO(base64.b64decode(shown.data["image/png"])))  # of the same figure
    assert png.width / png.height == pytest.approx(
        float(svg.get("width")[:-2]) / float(svg.get("height")[:-2]), rel=0.02
    )
    # once and not again at the end of the cell
    with capture_output() as captured:
        notebooks_shell.events.trigger("post_execute")
    assert not captured.outputs


@pytest.mark.whole
def test_figures_take_less_than_half_of_the_space_that_they_took(notebooks_shell, monkeypatch):
    """In earlier versions a figure was stored twice as a PNG of 100 dpi, in HTML and by itself."""
    before = []

    def as_before() -> bytes:
        drawn = io.BytesIO()
        plt.savefig(drawn, format="png", dpi=100, bbox_inches="tight")
        before.append(2 * len(base64.b64encode(drawn.getvalue())))
        return small()

    small = figures._as_small_png
    monkeypatch.setattr(figures, "_as_small_png", as_before)
    x, y = generate(4, 1, seed=3)
    with capture_output() as captured:
        plots.plot_predictions(x, y, {"one": y, "other": x})
        plots.plot_losses({"one": Losses(torch.rand(2000).tolist(), [(1000, 0.5), (2000, 0.25)])})
        plots.plot_attention(torch.eye(100), x[0])
    assert len(before) == 3
    assert sum(len(json.dumps(shown.data)) for shown in captured.outputs) < sum(before) / 2


def test_a_graded_figure_is_a_png_alone(notebooks_shell, monkeypatch):
    """The sandbox lets no HTML out, so none is made."""
    monkeypatch.setenv(REHEARSAL_VARIABLE, "1")
    with capture_output() as captured:
        plots.plot_encoding(torch.eye(3))
    assert svg_in(captured.outputs[0].data["text/html"]) == "" and captured.outputs[0].data["image/png"]


def test_what_is_embedded_comes_out_as_it_was():
    svg = """<svg a='1'><text>50% & "more" #1 é\n</text></svg>"""
    assert svg_in(as_image(svg, 'a "sentence" & more')) == svg and svg_in(as_image(b"PNG", "no SVG")) == ""


def test_without_a_notebook_a_figure_is_shown_as_ever(figures):
    plots.plot_encoding(torch.eye(3))
    assert len(figures) == 1


def test_a_page_made_of_a_notebook_names_its_pictures():
    bundle = described(b"\x89PNG", SHOWN)._repr_mimebundle_()
    cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", bundle)])
    page, _ = HTMLExporter(embed_images=True).from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert [image["alt"] for image in Images(page).found] == [SHOWN.render()]


@pytest.mark.parametrize(
    ("text", "alt"),
    [(SHOWN.render(), SHOWN.render()), ("<Figure size 640x480 with 1 Axes>", "Une figure sans description")],
)
def test_a_graded_picture_is_named_though_the_sandbox_lets_no_html_out(text, alt):
    output = nbformat.v4.new_output("display_data", {"image/png": "iVBORw0KGgo=", "text/plain": text})
    name_picture(output, "fr")
    assert output.metadata.get("alt") == alt


def test_a_figure_s_svg_keeps_what_it_refers_to_and_its_places_to_a_tenth():
    drawn = """<?xml version="1.0"?>\n<svg width="476.397pt">\n <!-- axes -->
 <defs><path id="m1" d="M 0 0 \nL 0 3.5 \n" style="stroke: #1a1a1a; stroke-width: 0.8"/></defs>
 <g id="line2d_1"><use xlink:href="#m1" x="80.3456" y="7.2000"/></g>
 <g clip-path="url(#p2)"><path d="M -0.98765 224.398 \nL 9.876 100.000 z\n"/></g><clipPath id="p2"/>
</svg>"""
    assert figures._shortened(drawn) == (
        "<svg width='476.3pt'><defs><path id='i0' d='m0 0l0 3.5' style='stroke:#1a1a1a;stroke-width:0.8'/></defs>"
        "<g><use href='#i0' x='80.3' y='7.2'/></g>"
        "<g clip-path='url(#i1)'><path d='m-.99 224.3l10.86-124.3z'/></g><clipPath id='i1'/></svg>"
    )


def test_a_path_is_written_as_steps_from_point_to_point():
    assert figures._in_steps("M10 20L12.5 18zM3 4Q5 6 7 8C1 2 3 4 5 6") == "m10 20l2.5-2zm-7-16q2 2 4 4c-6-6-4-4-2-2"
    assert figures._in_steps("M0.5 -0.25L0.5 -0.751") == "m.5-.25l0-.5"
