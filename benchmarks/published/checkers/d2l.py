"""Dive into Deep Learning (https://d2l.ai, edition 1.0), chapter 11: `d2l.check_shape` below each new class.

Sizes: multi-head attention N = 2, 4 queries, 6 keys, E = 100, H = 5, inputs of ones, valid lengths 3 and 2; additive
attention with queries of width 20, 10 keys of width 2, valid lengths 2 and 6, hidden width 8; Bahdanau's decoder with
10 words, vectors of 8, states of 16, a batch of 4, 7 steps. Lengths are masks here, keys are the states. The book
illustrates with these checks, and grades nobody.
"""

from typing import Any

import torch

from benchmarks.published.checkers import Checker


def shaped(tensor: torch.Tensor, *sizes: int) -> None:
    """Assert a tensor's shape."""
    assert tuple(tensor.shape) == sizes, f"shape {tuple(tensor.shape)} instead of {sizes}"


def lengths(words: list[int], most: int) -> torch.Tensor:
    """Return the mask (N, T) that shows each row's first words."""
    return torch.arange(most) < torch.tensor(words)[:, None]


def multi_head_attention(student: Any, right: Any) -> None:
    """Attention and self-attention keep the shape of the queries; item by item, since each has a length of its own."""
    layer = student(100, 5, dropout=0.5).eval()
    for keys in (6, 4):
        for row in lengths([3, 2], keys):
            shaped(layer(torch.ones(1, 4, 100), *[torch.ones(1, keys, 100)] * 2, row.expand(4, keys)), 1, 4, 100)


def attend(student: Any, right: Any) -> None:
    """A context of the values' width for each sentence."""
    context, _ = student(torch.randn(2, 10), torch.randn(2, 10, 4), lengths([2, 6], 10))
    shaped(context, 2, 4)


def additive_attention(student: Any, right: Any) -> None:
    """A context of the states' width for each sentence."""
    layer = student(20, 2, 8).eval()
    states = torch.randn(2, 10, 2)
    context, _ = layer(torch.randn(2, 20), states, layer.keys(states), lengths([2, 6], 10))
    shaped(context, 2, 2)


def decoder_step(student: Any, right: Any) -> None:
    """Scores of all words at each of 7 steps, and a state."""

    class Even(torch.nn.Module):
        """Looks at all words equally."""

        def forward(self, query: Any, states: Any, keys: Any, mask: Any) -> tuple[torch.Tensor, torch.Tensor]:
            return states.mean(1), torch.full(states.shape[:2], 1 / states.shape[1])

    model = student(10, 8, 16, 16, Even()).eval()
    states, hidden = torch.randn(4, 7, 16), torch.randn(4, 16)
    memory = (states, states, torch.ones(4, 7, dtype=torch.bool))
    for _ in range(7):
        logits, hidden, _ = model.step(torch.zeros(4, dtype=torch.long), hidden, memory)
        shaped(logits, 4, 10)
    shaped(hidden, 4, 16)


CHECKERS = (
    Checker(
        "d2l",
        "Dive into Deep Learning, chapter 11",
        {
            "captioning/multi_head_attention": multi_head_attention,
            "seq2seq/attend": attend,
            "seq2seq/additive_attention": additive_attention,
            "seq2seq/decoder_step": decoder_step,
        },
    ),
)
