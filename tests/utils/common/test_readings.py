"""The numbers of a figure are in its alternative text: what a sighted reader takes from the picture, in words."""

import numpy as np
import pytest
import torch

from utils.attention import plots as sequences
from utils.attention.readings import read_bits, read_looks, read_sequences, shapes_in
from utils.attention.sequences import RECTANGLE, TRIANGLE
from utils.captioning import plots as captions
from utils.captioning.readings import read_encoding, read_head, read_maps, read_untrue
from utils.captioning.scenes.dataset import scene_of
from utils.common import figures as common
from utils.common.curves import Losses, read_curve, read_losses
from utils.common.figures import described
from utils.common.messages import LANGUAGE_VARIABLE
from utils.recall import plots as recall
from utils.seq2seq import plots as translation


@pytest.fixture
def alternative(figures, monkeypatch) -> list[str]:
    """Collect the alternative texts of figures that are shown, in English."""
    texts: list[str] = []
    monkeypatch.setattr(common, "show", lambda *words: texts.append(described(b"", words[0], "", words[1]).sentence))
    return texts


def sequence(height: float, other: float) -> torch.Tensor:
    """Return a triangle at 2 to 9 and a rectangle that touches it, at 10 to 17, on 20 points: (1, 1, 20)."""
    x = torch.zeros(1, 1, 20)
    x[0, 0, 2:10], x[0, 0, 10:18] = height * torch.tensor(TRIANGLE), other * torch.tensor(RECTANGLE)
    return x


def test_shapes_that_touch_are_told_apart():
    assert list(map(str, shapes_in(sequence(8, 8)[0, 0]))) == ["triangle at 2 to 9", "rectangle at 10 to 17"]


def test_a_sequence_is_read_out_shape_by_shape(alternative):
    x, y = sequence(8, 4), sequence(6, 6)
    shapes = "triangle at 2 to 9: input 8, target 6; rectangle at 10 to 17: input 4, target 6"
    assert read_sequences(x, {"target": y}) == [f"Sequence 1: {shapes}"]
    sequences.plot_sequences(x, y, number=1)
    sequences.plot_predictions(x, y, {"one": x}, number=1)
    sequences.plot_keyholes(x, radius=3)
    assert alternative[0].endswith(f" over the same positions. Sequence 1: {shapes}.")
    assert "triangle at 2 to 9: input 8, target 6, one 8;" in alternative[1]
    assert alternative[2].endswith("Sequence 1: triangle at 2 to 8: input 8."), "the rest is hidden here, too"


def test_a_matrix_is_read_out_by_shapes_and_by_its_streaks():
    attention = torch.eye(20)
    attention[2:10] = 0
    attention[range(2, 10), range(17, 9, -1)] = 1  # mirrored
    looks, streaks, largest = read_looks(attention, sequence(8, 4)[0, 0])
    assert looks == (
        "Where the rows of each shape look: triangle at 2 to 9: rectangle at 10 to 17 100%; "
        "rectangle at 10 to 17: rectangle at 10 to 17 100%; ground: ground 100%"
    )
    assert streaks.endswith("look most: 2 → 17, 9 → 10; 10 → 10, 17 → 17")
    assert largest == "The largest weight is 1, of position 0 on 0"


def test_the_bits_of_an_encoding_are_read_out():
    bits = torch.tensor([[float(t >> b & 1) for t in range(16)] for b in range(3)])
    read = ["Bit 0 is 1 at 1, 3, 5, …", "Bit 1 is 1 at 2–3, 6–7, 10–11, …", "Bit 2 is 1 at 4–7, 12–15"]
    assert read_bits(bits) == read
    assert read_bits(torch.zeros(1, 3)) == ["Bit 0 is 1 at —"]


def test_a_long_curve_is_read_out_at_its_ends_between_and_at_its_extremes():
    points = [(float(step), float(abs(step - 7))) for step in range(41)]
    assert read_curve("loss", points) == (
        "loss: 0 → 7, 5 → 2, 7 → 0, 10 → 3, 15 → 8, 20 → 13, 25 → 18, 30 → 23, 35 → 28, 40 → 33"
    )
    assert read_curve("loss", points[:3], ".1f") == "loss: 0 → 7.0, 1 → 6.0, 2 → 5.0"
    losses = {"a": Losses([4.0, 2.0, 1.0], [(3, 5.0)]), "b": [2.0, 1.0]}
    read = ["a: training: 2 → 3, 3 → 1.5", "a: unseen: 3 → 5", "b: 2 → 1.5"]
    assert read_losses(losses, window=2) == read


def test_a_picture_whose_caption_is_not_true_is_described():
    url = next(f"scenes://val/{number}" for number in range(9) if len(scene_of(f"scenes://val/{number}").things) == 2)
    first, second = scene_of(url).things
    [text] = read_untrue(["http://127.0.0.1:9/gone", url], ["a man", "a small"])
    assert text.startswith(f"On picture 2: {first.size} {first.colour} {first.shape}, ")
    assert f"; {second.size} {second.colour} {second.shape}, " in text and text.count("% from the left") == 2
    assert text.endswith(f"background {scene_of(url).background}")


def test_maps_heads_and_encodings_of_captions_are_read_out(alternative):
    values = np.zeros((4, 4, 2))
    values[0, 3, 0], values[2, 1, 1] = 2.0, 0.5
    assert read_maps("looks at", values, ["red", "ring"], (0, 64, 64, 0), 64) == (
        "looks at: “red” most 88% from the left, 12% from the top (2); "
        "“ring” most 38% from the left, 62% from the top (0.5)"
    )
    weights = np.array([[1.0, 0.0], [0.75, 0.25]])
    assert read_head("head 1", "itself 25%", weights, ["a", "ring"], 0.3) == "head 1: itself 25%; ring → a 75%"
    wave = np.stack([np.cos(np.pi * np.arange(6)), np.ones(6)], axis=1)
    assert read_encoding(wave) == [
        "How often a column changes its sign: 0 → 5, 1 → 0",
        "Mean dot product of two rows by their distance: 0 → 2, 1 → 0, 2 → 2, 5 → 0",
    ]
    captions.dot_products(widths=(4, 64), samples=50)
    assert "softmax(q·k): 4 → 0." in alternative[0]


def test_bars_maps_and_tables_are_read_out(alternative):
    translation.softmax_bars(torch.tensor([0.0, 0.0]), ["ann", "bob"], (1.0, 10.0))
    assert alternative[0].endswith("temperature 1: ann 0.50, bob 0.50. temperature 10: ann 0.50, bob 0.50.")
    recall.tables({1: torch.outer(torch.tensor([1.0, -1.0]), torch.tensor([1.0, 0.5]))})
    assert alternative[1].endswith("to 1.00, the largest in row 0, column 0; likeness of two rows 1.00.")
    curves = {"d = 2": {1: 1.0, 2: 0.75, 4: 0.25}, "d = 4": {1: 1.0, 2: 1.0, 8: 0.25}}
    recall.collapsed(curves, lambda d, T: T / d**2)
    assert (
        "Over T, the curves differ by a factor of 2.0. Over T / d, the curves differ by a factor of 1.0."
        in alternative[2]
    )


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "triangle de 2 à 9 : entrée 8"),
        ("zh", "序列 1：位置 2 到 9 的三角形：输入 8"),
    ],
)
def test_what_is_read_out_is_in_the_notebooks_language(figures, monkeypatch, language, text):
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    texts = []
    monkeypatch.setattr(common, "show", lambda *words: texts.append(described(b"", words[0], "", words[1]).sentence))
    x = sequence(8, 4)
    sequences.plot_predictions(x, x, {"one": x}, number=1)
    assert text in texts[0]
