"""DeepLearning.AI, Deep Learning Specialization, course 5, week 4: `public_tests.py` of the assignment on Transformers.

Source: the assignment's `public_tests.py` (2023), tests of `scaled_dot_product_attention` and of `positional_encoding`:
three queries, four keys, printed weights, `np.allclose` with its own limits; a table of 8 positions and 16 columns, in
which the squares of each pair add up to 1 and the angles are those of the formula. The functions are TensorFlow's;
here the layer has one head and projections that change nothing, and its weights are read with the identity as values.
"""

import math
from typing import Any

import torch

from benchmarks.published.checkers import Checker, near
from benchmarks.published.checkers.cs336 import unprojected

RTOL, ATOL = 1e-5, 1e-8  # np.allclose
QUERIES = torch.tensor([[1.0, 0, 1, 1], [0, 1, 1, 1], [1, 0, 0, 1]])
KEYS = torch.tensor([[1.0, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]])
VALUES = torch.tensor([[0.0, 0], [1, 0], [1, 0], [1, 1]])
MASK = torch.tensor([[1, 1, 0, 1]] * 3)
WEIGHTS = torch.tensor([
    [0.2589478, 0.42693272, 0.15705977, 0.15705977],
    [0.2772748, 0.2772748, 0.2772748, 0.16817567],
    [0.33620113, 0.33620113, 0.12368149, 0.2039163],
])  # fmt: skip
MASKED = torch.tensor([
    [0.30719590187072754, 0.5064803957939148, 0.0, 0.18632373213768005],
    [0.3836517333984375, 0.3836517333984375, 0.0, 0.2326965481042862],
    [0.3836517333984375, 0.3836517333984375, 0.0, 0.2326965481042862],
])  # fmt: skip


def attention(student: Any, right: Any) -> None:
    """Weights and results without a mask and with one that hides the third key."""
    layer = unprojected(student(4, 1, dropout=0.0))
    values = torch.nn.functional.pad(VALUES, (0, 2))  # the layer's values are as wide as its queries
    for mask, weights, words in ((None, WEIGHTS, "unmasked"), (MASK, MASKED, "masked")):
        # Copies, because an answer may change its inputs.
        shown = layer(QUERIES[None].clone(), KEYS[None].clone(), torch.eye(4)[None], mask)[0]
        near(shown, weights, RTOL, ATOL, f"wrong {words} weights")
        result = layer(QUERIES[None].clone(), KEYS[None].clone(), values[None].clone(), mask)[0, :, :2]
        near(result, weights @ VALUES, RTOL, ATOL, f"wrong {words} attention")


def encoding(student: Any, right: Any) -> None:
    """Pairs of columns lie on the unit circle, and their angles are i · 10000^(-j/E)."""
    layer = student(16, dropout=0.0, max_len=8)
    table = layer(torch.zeros(1, 8, 16)).detach()
    sine, cosine = table[..., 0::2], table[..., 1::2]
    near(sine**2 + cosine**2, torch.ones(1, 8, 8), RTOL, ATOL, "the squares of a pair add up to 1")
    places = torch.arange(8, dtype=torch.float64)[:, None]
    angles = places * 10000.0 ** (-torch.arange(0, 16, 2, dtype=torch.float64) / 16)
    got = torch.atan2(sine.double(), cosine.double())[0] % (2 * math.pi)
    near(got, angles % (2 * math.pi), RTOL, ATOL, "sines in even columns, cosines in odd ones")


CHECKERS = (
    Checker(
        "Coursera C5W4",
        "Deep Learning Specialization, course 5, week 4, public tests",
        {"captioning/multi_head_attention": attention, "captioning/positional_encoding": encoding},
    ),
)
