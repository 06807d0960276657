"""The lessons' diagrams: self-contained, nothing overlaps, in all languages, and what they say is right.

Layouts are judged by what a canvas has on record: text measured with Helvetica's widths, boxes, arrows' corners.
"""

import html
import importlib
import itertools
import math
import re
from xml.etree import ElementTree

import pytest
import torch
from IPython.core.formatters import DisplayFormatter

from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from tests.helpers.languages import LANGUAGES
from utils.attention import drawings as attention
from utils.captioning import decoder_drawings as decoder
from utils.captioning import drawings as captioning
from utils.common.embedded import svg_in, themed
from utils.drawings import lesson as any_lesson
from utils.drawings.canvas import AT_NIGHT, VALUE, WRONG, Canvas, ink
from utils.drawings.label import runs, width, wrapped
from utils.seq2seq import drawings as seq2seq

MODULES = tuple(importlib.import_module(f"utils.{name}.drawings") for name in list(WORKBOOK.lessons))
SVG = "{http://www.w3.org/2000/svg}"
# Signs of the sentences that are translated in the lesson, and names that stay as they are in every language.
CORPUS = {"elle", "porte", "une", "robe", "rouge", "she", "wears", "a", "red", "dress", "is", "tired"}
NAMES = {"Shift", "Enter", "softmax", "dropout", "GRU", "SOS", "START", "END", "PAD", "Transformer", "tanh"}
COGNATES = {"fr": {"scores", "bit", "convolutions", "attention", "code"}, "zh": set()}
CODE = {"# Your code goes here", "check.…", "captioning.ipynb", "guesses[…] = 5"}  # as it stands in the notebook
CODE |= {"cut", "score", "attend", "step", "alignment"}  # names of gaps


def overlap(a, b, slack=1.0):
    """Whether two boxes share more than `slack` pixels in both directions."""
    across = min(a.end, b.end) - max(a.x, b.x)
    down = min(a.foot, b.foot) - max(a.y, b.y)
    return across > slack and down > slack


def contains(outer, inner, slack=0.5):
    return (
        outer.x - slack <= inner.x
        and inner.end <= outer.end + slack
        and outer.y - slack <= inner.y
        and inner.foot <= outer.foot + slack
    )


def crosses(start, end, box, slack=1.5):
    """Whether the line from start to end meets the box made smaller by `slack` on each side (Liang and Barsky)."""
    low, high = 0.0, 1.0
    for place, there, least, most in (
        (start[0], end[0], box.x + slack, box.end - slack),
        (start[1], end[1], box.y + slack, box.foot - slack),
    ):
        step = there - place
        if least >= most:
            return False
        if step == 0:
            if not least < place < most:
                return False
            continue
        first, last = sorted(((least - place) / step, (most - place) / step))
        low, high = max(low, first), min(high, last)
    return low < high


everything = pytest.mark.parametrize("language", LANGUAGES)


def how_a_lesson_works(language=None):
    return any_lesson.how_a_lesson_works("captioning", language)


every_drawing = pytest.mark.parametrize(
    "draw",
    [how_a_lesson_works, *(getattr(module, name) for module in MODULES for name in module.__all__)],
    ids=lambda draw: draw.__name__,
)


def test_every_module_lists_all_its_drawings():
    for module in MODULES:
        places = {module.__name__, *({decoder.__name__} if module is captioning else ())}
        drawn = [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", "") in places and not name.startswith("_")
        ]
        assert sorted(drawn) == module.__all__


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[1])
def test_the_lesson_shows_each_of_its_drawings_below_a_sentence_that_stands_in_for_it(module):
    cells = Lesson.load(module.__name__.split(".")[1], WORKBOOK).cells
    shown = {name: i for i, cell in enumerate(cells) for name in re.findall(r"^drawings\.(\w+)\(", cell.source, re.M)}
    assert sorted(shown) == module.__all__
    for place in shown.values():
        assert cells[place].role == "show" and cells[place].source.count("\n") == 0
        assert cells[place - 1].role == "prose" and "picture" in cells[place - 1].source


@everything
@every_drawing
def test_the_svg_is_well_formed_small_and_needs_nothing_else(draw, language):
    text = draw(language).svg()
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert len(text.encode()) < 25_000
    assert not [e for e in root.iter() if e.tag in (f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject", f"{SVG}use")]
    names = {name for element in root.iter() for name in element.attrib}
    # No ids: several drawings on one page must not take each other's parts.
    assert not names & {"id", "href", "class"} and not [name for name in names if name.startswith("on")]
    assert re.findall(r"https?:[^\"]*|url\(", text) == ["http://www.w3.org/2000/svg"]


def contrast(colour: str) -> float:
    """Contrast with white, as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)


@every_drawing
def test_letters_and_lines_stand_out_from_the_card(draw):
    root = ElementTree.fromstring(draw("en").svg())
    assert [t.text for t in root.iter(f"{SVG}text") if contrast(t.get("fill")) < 4.5] == []
    assert [p.get("d") for p in root.iter(f"{SVG}path") if contrast(p.get("stroke")) < 3] == []


@everything
@every_drawing
def test_it_says_in_words_what_it_shows(draw, language):
    canvas = draw(language)
    root = ElementTree.fromstring(canvas.svg())
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.find(f"{SVG}desc").text == canvas.description
    assert root.find(f"{SVG}title").text == canvas.title
    assert len(canvas.title) < 80 < len(canvas.description) * (2 if language == "zh" else 1)


@everything
@every_drawing
def test_ipython_is_given_a_picture_with_alternative_text(draw, language):
    canvas = draw(language)
    data, _ = DisplayFormatter().format(canvas)
    assert f'alt="{html.escape(canvas.description)}"' in data["text/html"]
    assert svg_in(data["text/html"]) == themed(canvas.svg(), "", AT_NIGHT)
    assert set(data) == {"text/html", "text/plain"}  # once, and not a second time as SVG
    assert canvas.description in data["text/plain"]


@everything
@every_drawing
def test_no_text_is_cut_or_covered(draw, language):
    canvas = draw(language)
    card = type(canvas.texts[0])(4, 4, canvas.width - 8, canvas.height - 8)
    assert [text.text for text in canvas.texts if not contains(card, text)] == []
    assert [(a.text, b.text) for a, b in itertools.combinations(canvas.texts, 2) if overlap(a, b)] == []
    for text in canvas.texts:
        assert [b.text for b in canvas.boxes if overlap(b, text) and not contains(b, text)] == [], text.text


@everything
@every_drawing
def test_a_wider_font_still_fits(draw, language):
    canvas = draw(language)
    wider = [type(t)(t.x - 0.05 * t.width, t.y, 1.1 * t.width, t.height, t.text) for t in canvas.texts]
    for text in wider:
        assert text.x >= 1 and text.end <= canvas.width - 1, text.text
        assert [b.text for b in canvas.boxes if overlap(b, text) and not contains(b, text)] == [], text.text


@everything
@every_drawing
def test_no_arrow_runs_through_a_text_or_a_box(draw, language):
    canvas = draw(language)
    for points in canvas.lines:
        for start, end in itertools.pairwise(points):
            crossed = [box.text for box in (*canvas.texts, *canvas.boxes) if crosses(start, end, box)]
            assert crossed == [], (start, end)


def spoken(label: str) -> set[str]:
    """The words of a label outside its formulas."""
    return set(re.findall(r"[^\W\d_]{2,}", re.sub(r"\$[^$]*\$", " ", label)))


@pytest.mark.parametrize("language", ["fr", "zh"])
@every_drawing
def test_no_english_is_left(draw, language):
    english, canvas = draw("en"), draw(language)
    pairs = [(a, b) for a, b in zip(english.texts, canvas.texts, strict=True) if b.text not in CODE]
    same = [a.text for a, b in pairs if a.text == b.text and spoken(a.text) - NAMES - CORPUS - COGNATES[language]]
    assert same == []
    assert english.title != canvas.title and english.description != canvas.description
    if language == "zh":
        latin = {word for _, b in pairs for word in spoken(b.text) if word.isascii()}
        assert latin <= NAMES | CORPUS


def labels(canvas: Canvas) -> list[str]:
    return [text.text for text in canvas.texts]


def parts(canvas: Canvas, tag: str) -> list[dict[str, str]]:
    """The attributes of all elements of a kind, in the order in which they are drawn."""
    return [element.attrib for element in ElementTree.fromstring(canvas.svg()).iter(SVG + tag)]


def darkness(canvas: Canvas, grid, rows: int, columns: int) -> torch.Tensor:
    """The contrast with white of a grid's cells (rows, columns)."""
    shown = torch.zeros(rows, columns)
    for part in parts(canvas, "rect"):
        x, y, wide, high = (float(part[name]) for name in ("x", "y", "width", "height"))
        for i, j in itertools.product(range(rows), range(columns)):
            across, down = grid.x + (j + 0.5) * grid.width / columns - x, grid.y + (i + 0.5) * grid.height / rows - y
            if part["fill"] != "none" and 0 < across < wide and 0 < down < high:
                shown[i, j] = contrast(part["fill"])  # the last is on top
    return shown


def grids(canvas: Canvas, rows: int, columns: int, cell: float, high: float | None = None) -> list:
    """The grids of so many cells of this size, in the order in which they are drawn."""
    size = (columns * cell, rows * (high or cell))
    return [box for box in canvas.boxes if not box.text and (box.width, box.height) == pytest.approx(size)]


def test_positions_look_at_their_own_kind():
    canvas = attention.queries_keys_values("en")
    same = torch.tensor([[a == b for b in attention.KINDS] for a in attention.KINDS])
    assert 0 < same.sum() < same.numel()
    scores, weights = (darkness(canvas, grid, 6, 6) for grid in grids(canvas, 6, 6, 13))
    for shown in (scores, weights):
        assert shown[same].min() > shown[~same].max()

    def share(shown: torch.Tensor) -> torch.Tensor:
        """How dark the darkest of the other kinds is, as a share of the same kind's darkness; 1 is white."""
        return (shown[~same].max() - 1) / (shown[same].max() - 1)

    # The softmax takes most of what the scores leave to those that are a little alike.
    assert share(weights) < share(scores) / 2


def test_a_position_is_followed_from_its_query_to_its_output():
    canvas = attention.queries_keys_values("en")
    row, cell = attention.LOOKING, 13
    outlines = [part for part in parts(canvas, "rect") if part.get("stroke-width") == "2"]
    marked = [tuple(float(part[name]) for name in ("x", "y", "width", "height")) for part in outlines]
    (scores, weights), (queries, _) = grids(canvas, 6, 6, cell), grids(canvas, 6, 3, cell)
    output = grids(canvas, 6, 5, cell)[-1]
    rows = [(grid.x, grid.y + row * cell, grid.width, cell) for grid in (scores, weights, queries, output)]
    assert sorted(marked) == [pytest.approx(place, abs=0.1) for place in sorted(rows)]


@pytest.mark.parametrize("layers", [4, 5])
def test_the_cone_of_dots_is_that_of_a_convolutional_network(layers):
    circles = parts(attention.convolution_and_attention("en", layers=layers), "circle")
    dots = [(float(part["cx"]), float(part["cy"]), part["fill"]) for part in circles]
    cone = dots[: 25 * (layers + 1)]
    assert len({y for _, y, _ in cone}) == layers + 1 and cone[0][1] < cone[-1][1]
    for layer in range(layers + 1):
        colours = [fill for _, _, fill in cone[25 * layer : 25 * (layer + 1)]]
        seen = torch.zeros(1, 1, 25)
        seen[..., 10] = 1
        for _ in range(layer):
            seen = torch.nn.functional.conv1d(seen, torch.ones(1, 1, 5), padding=2)
        inside = {colour for colour, is_seen in zip(colours, seen[0, 0], strict=True) if is_seen}
        outside = {colour for colour, is_seen in zip(colours, seen[0, 0], strict=True) if not is_seen}
        assert len(inside) == 1 and not inside & outside


def test_attention_looks_most_at_its_own_shape_and_at_its_partner():
    lines = [e for e in parts(attention.convolution_and_attention("en"), "path") if e["fill"] == "none"][-25:]
    thick = [j for j, e in enumerate(lines) if float(e["stroke-width"]) > 1]
    assert thick == [*range(8, 13), *range(20, 25)]


def test_a_bit_that_is_1_is_darker_and_a_higher_point_too():
    canvas = attention.positions_as_channels("en")
    bits = torch.tensor([[t >> b & 1 for t in range(8)] for b in range(3)]).bool()
    shown = darkness(canvas, grids(canvas, 3, 8, 30, 28)[0], 3, 8)
    assert shown[bits].min() > shown[~bits].max()
    heights, joined = grids(canvas, 1, 8, 30, 28)[0], grids(canvas, 4, 8, 30, 28)[0]
    above = darkness(canvas, heights, 1, 8)
    assert above[0].argsort(stable=True).tolist() == [0, 4, 7, 1, 3, 5, 6, 2]
    torch.testing.assert_close(darkness(canvas, joined, 4, 8), torch.cat([above, shown]))


def test_what_a_mask_hides_is_lighter():
    canvas = captioning.causal_mask("en")
    seen = torch.ones(5, 5).tril().bool()
    shown = darkness(canvas, canvas.boxes[0], 5, 5)
    assert shown[seen].min() > shown[~seen].max()
    allowed, hidden = (darkness(canvas, box, 1, 1).item() for box in canvas.boxes[-2:])
    assert (allowed, hidden) == (shown[0, 0], shown[0, 4])


def test_a_greater_weight_is_darker_and_none_is_white():
    canvas = captioning.scaled_dot_product("en")
    rows = [darkness(canvas, grid, 1, 4)[0] for grid in grids(canvas, 1, 4, 48, 30)]
    assert len(rows) == 5
    assert (rows[2] == 1).tolist() == (rows[3] == 1).tolist() == [False, False, False, True]
    assert (rows[4] == 1).tolist() == [False, True, False, True]
    assert rows[3].argsort(descending=True).tolist() == [2, 0, 1, 3] and rows[4][2] > rows[4][0]


def test_a_greater_weight_is_a_thicker_line():
    canvas = seq2seq.with_attention("en")
    weights = torch.tensor(seq2seq.SCORES).softmax(0)
    lines = [float(e["stroke-width"]) for e in parts(canvas, "path")]
    thick = [1 + 6 * w for w in weights.tolist()]
    assert [line for line in lines if line not in (1.5, 1.0)] == pytest.approx(thick, rel=1e-4)


def test_a_teacher_hides_a_wrong_word_from_the_next_step():
    canvas = seq2seq.teacher_forcing("en")
    given = [box for box in canvas.boxes if not box.text.startswith("$")]
    said = [label.split(" ") for label in labels(canvas) if label[-1] in "✓✗"]
    words, right = [word for word, _ in said], list(seq2seq.WRITTEN[:4])
    good = [word == wanted for word, wanted in zip(words, 2 * right, strict=True)]
    assert [sign for _, sign in said] == ["✓" if is_good else "✗" for is_good in good]
    texts = ElementTree.fromstring(canvas.svg()).iter(f"{SVG}text")
    colours = [text.get("fill") for text in texts if "".join(text.itertext())[-1] in "✓✗"]
    assert colours == [ink(VALUE if is_good else WRONG) for is_good in good]
    assert [box.text for box in given] == ["SOS", *right[:3], "SOS", *words[4:7]] and words[:4] != right
    # What the teacher gives has a colour of its own.
    shades = [darkness(canvas, box, 1, 1).item() for box in given]
    assert len(set(shades[1:4])) == len({shades[0], *shades[4:]}) == 1 and shades[1] != shades[0]


def test_the_row_on_its_way_through_attention_is_right():
    shown = labels(captioning.scaled_dot_product("en"))
    scores = torch.tensor([4.0, 2.0, 6.0, 8.0]) / math.sqrt(4)
    hidden = torch.tensor([True, True, True, False])
    weights = scores.masked_fill(~hidden, -torch.inf).softmax(0)
    dropped = weights * torch.tensor([1, 0, 1, 1]) / 0.9
    start = shown.index("4")
    rows = [shown[start + 4 * i : start + 4 * i + 4] for i in range(5)]
    assert rows[1] == [f"{s:g}" for s in scores.tolist()]
    assert rows[2] == ["2", "1", "3", "−∞"]
    assert rows[3] == [f"{w:.2f}" if w else "0" for w in weights.tolist()]
    assert rows[4] == [f"{w:.2f}" if w else "0" for w in dropped.tolist()]
    assert f"{rows[4][0]} $v_1$ + {rows[4][2]} $v_3$" in " ".join(shown)


def test_the_causal_mask_is_a_lower_triangle_and_rows_look_at_columns():
    canvas = captioning.causal_mask("en")
    cells = [text for text in canvas.texts if text.text in ("0", "1")]
    shown = torch.tensor([int(cell.text) for cell in cells]).view(5, 5)
    assert torch.equal(shown, torch.ones(5, 5).tril().long())
    looks, is_looked_at = (next(t for t in canvas.texts if t.text.startswith(s)) for s in ("looks", "is looked"))
    assert looks.end <= canvas.boxes[0].x < is_looked_at.x


def test_the_weights_of_the_alignment_sum_to_one_as_they_are_shown():
    shown = [float(label) for label in labels(seq2seq.with_attention("en")) if re.fullmatch(r"0\.\d\d", label)]
    assert len(shown) == 5 and sum(shown) == pytest.approx(1)
    assert max(shown) == shown[seq2seq.READ.index("rouge")]


def test_the_picture_of_how_a_lesson_works_names_the_notebook_and_shows_a_guess():
    canvas = any_lesson.how_a_lesson_works("gpt", "en")
    assert {"gpt.ipynb", "training"} <= set(labels(canvas)) and "guess" in canvas.description


def test_each_position_is_a_row_of_queries_keys_and_values_as_in_papers():
    shown = labels(attention.queries_keys_values("en"))
    assert shown.count("$(N, T, d)$") == 2 and shown.count("$(N, T, E)$") == 2
    assert "$Q K^⊤$" in shown and "$A V$" in shown


def test_bits_read_upwards_are_the_position():
    cells = [text for text in attention.positions_as_channels("en").texts if text.text in ("0", "1")]
    bits = [cell.text for cell in cells if cell.y > 100 and cell.x < 340]
    for position in range(8):
        column = bits[position::8]
        assert int("".join(reversed(column)), 2) == position


@pytest.mark.parametrize("layers", [4, 5])
def test_the_horizon_is_that_of_a_convolutional_network(layers):
    network = torch.nn.Sequential(*(torch.nn.Conv1d(1, 1, 5, padding=2) for _ in range(layers)))
    x = torch.zeros(1, 1, 41, requires_grad=True)
    for layer in network:
        torch.nn.init.ones_(layer.weight)
    network(x)[0, 0, 20].backward()
    seen = int((x.grad != 0).sum())
    shown = " ".join(labels(attention.convolution_and_attention("en", layers=layers)))
    assert f"sees {seen} points" in shown and f"{layers} convolutions" in shown


def test_formulas_slant_variables_and_shift_scripts():
    found = [(run.text, run.variable, run.script) for run in runs("to $s_{i−1}^⊤ tanh$")]
    assert found == [
        ("to ", False, 0),
        ("s", True, 0),
        ("i", True, -1),
        ("−", False, -1),
        ("1", False, -1),
        ("⊤", False, 1),
        ("\u2009", False, 0),
        ("tanh", False, 0),
    ]


def test_lines_break_between_words_and_between_chinese_signs_but_not_in_formulas():
    assert wrapped("one two three", width("one two")) == ["one two", "three"]
    assert wrapped("$a b c d e f$ and", 1.0) == ["$a b c d e f$", "and"]
    assert wrapped("解码器，的一步", 4) == ["解码器，", "的一步"]
    assert wrapped("first\nsecond", None) == ["first", "second"]
