"""Sections 6 and 7: the score of a head, a layer without some of its heads, where heads look back, and composition."""

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


back = Check(
    "back",
    title="The letter k places back",
    sizes={"N": 5, "H": 3, "S": 7},
    hints=(
        "Draw the weights of one head as a table: row i looks, column j is looked at. Mark in each row the letter two "
        "places back. What line do the marks make?",
        "The marks are on a diagonal below the main one; it has S − k numbers. Take the mean over it and over the rows "
        "of text, not over the heads.",
        "`weights.diagonal(-k, dim1=2, dim2=3)` is (N, H, S − k): the heads are its axis 1.",
    ),
)


def where_heads_look(probe: Probe) -> torch.Tensor:
    """Return causal weights (N, H, S, S), whose rows sum to 1."""
    N, H, S = probe["N H S"]
    later = torch.ones(S, S, dtype=torch.bool).triu(1)
    return (2 * probe.normal(N, H, S, S)).masked_fill(later, float("-inf")).softmax(dim=-1)


@back.test("(H,): each head's mean weight on the letter k places back")
def diagonal(probe: Probe, back: Any) -> Any:
    weights = where_heads_look(probe)
    return {f"k={k}": back(weights.clone(), k) for k in (1, 2, 3)}


@back.test("as far back as the row goes: only its last place has such a letter")
def farthest(probe: Probe, back: Any) -> Any:
    return back(where_heads_look(probe), probe["S"] - 1)


@back.test("a head that looks only at the letter before, and one that looks evenly")
def by_hand(probe: Probe, back: Any) -> Any:
    S = probe["S"]
    before = torch.zeros(S, S)
    before[0, 0] = 1.0
    before[torch.arange(1, S), torch.arange(S - 1)] = 1.0
    evenly = torch.ones(S, S).tril()
    weights = torch.stack([before, evenly / evenly.sum(dim=-1, keepdim=True)]).unsqueeze(0)
    return {f"k={k}": back(weights.clone(), k) for k in (1, 2)}


score_without = Check(
    "score_without",
    title="The second layer's scores without a head of the first",
    sizes={"H": 5},
    hints=(
        "In what order? The head goes off, the scores are measured, the model becomes as before.",
        "Keep the first layer's attention in a variable. Put what `without_heads` returns in its place, measure, and "
        "put the kept one back.",
        "`without_heads(attention, [head])` takes a list. `scores_of(model)` is (L, H): the second layer's scores "
        "are its row 1.",
    ),
)


def two_layers(probe: Probe, Model: Any) -> Any:
    """Return a stand-in model of two layers with seeded numbers."""
    return probe.fill(Model(probe["H"]), scale=0.3)


@score_without.test("(H,): the second layer's scores without a head of the first layer, for each head a fresh model")
def fresh_model(probe: Probe, score_without: Any, Model: Any, without_heads: Any, scores_of: Any) -> Any:
    return {
        f"head={head}": score_without(two_layers(probe, Model), head, without_heads, scores_of)
        for head in range(probe["H"])
    }


@score_without.test("one head after the other, with the same model")
def same_model(probe: Probe, score_without: Any, Model: Any, without_heads: Any, scores_of: Any) -> Any:
    model = two_layers(probe, Model)
    return [score_without(model, head, without_heads, scores_of) for head in range(probe["H"])]


@score_without.test("afterwards the model is as before: its own scores have not changed")
def model_kept(probe: Probe, score_without: Any, Model: Any, without_heads: Any, scores_of: Any) -> Any:
    model = two_layers(probe, Model)
    result = score_without(model, 1, without_heads, scores_of)
    return {N_("the result"): result, N_("the model's own scores"): scores_of(model)}
