"""Section 6: the score of a head, and a layer without some of its heads."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe
from utils.common.messages import N_

induction_score = Check(
    "induction_score",
    title="The letter that followed the last time",
    sizes={"N": 3, "H": 7, "S": 11, "V": 5},
    hints=(
        "First find which places are alike: a table (N, S, S) of booleans, row i and column j.",
        "A place t counts for i if the place before t is like i: shift the columns of that table to the "
        "right by one. The first column counts for no place.",
        "`(weights * after.unsqueeze(1)).sum(-1)` is (N, H, S). Bring the heads to the last axis, then `[asked]` picks "
        "the places that count, of all rows.",
    ),
)


def looked_and_letters(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return causal weights (N, H, S, S), letters (N, S), and a mask (N, S) of the positions asked; one in row 0."""
    N, H, S, V = probe["N H S V"]
    weights = (2 * probe.normal(N, H, S, S)).masked_fill(torch.ones(S, S, dtype=torch.bool).triu(1), float("-inf"))
    asked = probe.uniform(N, S) < 0.5
    # Rows ask at different numbers of positions, so that a mean over each row first is not the mean over all.
    asked[0] = False
    asked[0, S // 2] = True
    asked[1, -1] = True
    return weights.softmax(dim=-1), probe.integers(0, V, N, S), asked


@induction_score.test("(H,): the weight on the places that follow a like place, averaged over the places asked")
def score(probe: Probe, induction_score: Any) -> Any:
    return induction_score(*looked_and_letters(probe))


@induction_score.test("one row, asked at every place")
def asked_everywhere(probe: Probe, induction_score: Any) -> Any:
    weights, letters, asked = looked_and_letters(probe)
    return induction_score(weights[:1], letters[:1], torch.ones_like(asked[:1]))


@induction_score.test("a text that occurs twice, and a head that looks only at the right place")
def perfect(probe: Probe, induction_score: Any) -> Any:
    S, half = 10, 5
    letters = torch.arange(half).repeat(2).unsqueeze(0)
    weights = torch.zeros(1, 2, S, S)
    weights[:, :, torch.arange(half), torch.arange(half)] = 1.0
    late = torch.arange(half, S)
    weights[:, 0, late, late - half + 1] = 1.0  # after the same letter
    weights[:, 1, late, late - half] = 1.0  # at the same letter
    asked = torch.arange(S).unsqueeze(0) >= half
    return induction_score(weights, letters, asked)


@induction_score.test("no letter occurs twice: every score is 0")
def never_twice(probe: Probe, induction_score: Any) -> Any:
    weights, letters, asked = looked_and_letters(probe)
    return induction_score(weights, torch.arange(letters.numel()).view(letters.shape), asked)


@induction_score.test(ON_GPU)
def score_on_gpu(probe: Probe, induction_score: Any) -> Any:
    with probe.gpu():
        return probe.located(induction_score(*map(probe.there, looked_and_letters(probe))))


without_heads = Check(
    "without_heads",
    title="A layer without some heads",
    sizes={"N": 8, "S": 11, "E": 18, "H": 3, "d": 6},
    hints=(
        "Copy the layer first. Which part of its last matrix reads head h?",
        "`proj.weight` is (E, E), and its columns belong to the inputs: head h has the columns from h·d to "
        "(h + 1)·d − 1.",
        "In `with torch.no_grad():`, for each head: `copied.proj.weight[:, head * d : (head + 1) * d] = 0`.",
    ),
)


def layer_and_input(probe: Probe, Attention: Any) -> tuple[Any, torch.Tensor]:
    """Return a layer with seeded weights and an input (N, S, E)."""
    N, S, E, H = probe["N S E H"]
    return probe.fill(Attention(E, H)), probe.normal(N, S, E)


@without_heads.test("without one head: the first, the middle one, the last")
def one_less(probe: Probe, without_heads: Any, Attention: Any) -> Any:
    layer, x = layer_and_input(probe, Attention)
    return {f"[{head}]": without_heads(layer, [head])(x) for head in range(probe["H"])}


@without_heads.test("without two heads, and without none")
def two_less(probe: Probe, without_heads: Any, Attention: Any) -> Any:
    layer, x = layer_and_input(probe, Attention)
    return {f"[{','.join(map(str, heads))}]": without_heads(layer, heads)(x) for heads in ([0, 2], [2, 1], [])}


@without_heads.test("the layer itself is unchanged")
def layer_kept(probe: Probe, without_heads: Any, Attention: Any) -> Any:
    layer, x = layer_and_input(probe, Attention)
    silenced = without_heads(layer, [1])
    return {N_("the layer itself"): layer(x), N_("the copy"): silenced(x)}
