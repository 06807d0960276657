"""CS336, assignment 1 (spring 2024), `tests/test_model.py`: attention compared with stored results.

Source: https://github.com/stanford-cs336/assignment1-basics, spring 2024: E = 64, H = 2, no dropout, no biases, causal;
scaled dot-product attention with a mask that is true where looking is forbidden, on inputs (N, S, d) and (N, H, S, d);
`assert_allclose` with an absolute limit of 1e-6 and numpy's relative 1e-7. Their stored inputs are not published as
text: those here have a seed of ours. Scaled dot-product attention is asked of the layer with projections that change
nothing.
"""

from typing import Any

import torch

from benchmarks.published.checkers import Checker, near

RTOL, ATOL = 1e-7, 1e-6
N, S, E, HEADS = 4, 12, 64, 2


def without_biases(layer: Any) -> Any:
    """Set the biases of the four projections to 0, as their layers have none."""
    for projection in (layer.query, layer.key, layer.value, layer.proj):
        torch.nn.init.zeros_(projection.bias)
    return layer


def unprojected(layer: Any) -> Any:
    """Make the four projections return what they are given."""
    for projection in (layer.query, layer.key, layer.value, layer.proj):
        torch.nn.init.eye_(projection.weight)
    return without_biases(layer)


def causal_self_attention(student: Any, right: Any) -> None:
    """The layer's result on one batch, with the reference's weights and a causal mask."""
    torch.manual_seed(42)
    oracle, layer = without_biases(right(E, HEADS, dropout=0.0)), student(E, HEADS, dropout=0.0)
    layer.load_state_dict(oracle.state_dict())
    x, mask = torch.randn(N, S, E), torch.ones(S, S).tril().bool()
    near(layer(x, x, x, mask), oracle(x, x, x, mask), RTOL, ATOL, "self-attention")


def scaled_dot_product(student: Any, right: Any, heads: int) -> None:
    """softmax(QKᵀ/√d)V of separate queries, keys and values, in one head or several, under a random mask."""
    torch.manual_seed(42)
    width = 8 * heads
    oracle, layer = (unprojected(make(width, heads, dropout=0.0)) for make in (right, student))
    query, key, value = (torch.randn(N, S, width) for _ in range(3))
    hidden = torch.rand(S, S) < 0.5
    hidden.fill_diagonal_(False)
    near(layer(query, key, value, ~hidden), oracle(query, key, value, ~hidden), RTOL, ATOL, "scaled dot product")


def attention(student: Any, right: Any) -> None:
    """The three tests of attention."""
    causal_self_attention(student, right)
    scaled_dot_product(student, right, heads=1)
    scaled_dot_product(student, right, heads=16)


CHECKERS = (Checker("CS336 2024", "CS336, assignment 1, 2024", {"captioning/multi_head_attention": attention}),)
