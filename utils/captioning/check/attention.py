"""Sections 2 and 3: the width split into heads, attention with several of them, and questions on its code."""

from typing import Any

import torch

from utils.captioning.check.inputs import moved, twice
from utils.checks.check import Check
from utils.checks.engine.own_code import Draw, Gap, Inputs
from utils.checks.engine.probe import AT_RATE_ONE, ON_GPU, STEADY, Probe, gradient_norms
from utils.checks.own_code import OwnCode
from utils.common.messages import N_

# Head width E/H = 5: all axes differ in length, so that no axis can be mistaken for another.
split_heads = Check(
    "split_heads",
    title="The width split into heads",
    sizes={"N": 9, "S": 7, "E": 15, "H": 3, "E/H": 5},
    hints=(
        "Two steps: first cut the last axis in two, then exchange two axes. Write the shape beside each line.",
        "Cut (N, S, E) into (N, S, H, E/H): the heads are neighbouring parts of the width. Then exchange "
        "positions and heads.",
        "`x.reshape(N, S, num_heads, E // num_heads)`, then `.transpose(1, 2)`.",
    ),
)


@split_heads.test("(N, H, S, E/H): the i-th head gets the i-th part of every position's vector")
def parts(probe: Probe, split_heads: Any) -> Any:
    N, S, E = probe["N S E"]
    return split_heads(probe.normal(N, S, E), probe["H"])


@split_heads.test("a single head gets everything, and with as many heads as components each head gets one")
def fewest_and_most(probe: Probe, split_heads: Any) -> Any:
    N, S, E = probe["N S E"]
    x = probe.normal(N, S, E)
    return {N_("one head"): split_heads(x, 1), N_("E heads"): split_heads(x, E)}


multi_head_attention = Check(
    "multi_head_attention",
    title="Multi-head attention",
    sizes={"N": 9, "S": 7, "T": 11, "E": 15, "H": 3, "E/H": 5},
    hints=(
        "Write the shape of every tensor beside its line. After the projections it is (N, S or T, E); the "
        "heads need their own axis before the product of queries and keys.",
        "Cut the last axis into (H, E/H), then exchange the axes of positions and heads. Scores are (N, H, S, T), "
        "divided by the square root of one head's width; hide before the softmax, over the last axis; drop after it.",
        "`view(N, S, H, d)` then `transpose(1, 2)`; `scores.masked_fill(attn_mask == 0, -inf)` returns a new tensor; "
        "before `self.proj`, undo the exchange of axes and only then join (H, d) into E.",
    ),
)


def attention_layer(probe: Probe, MultiHeadAttention: Any, heads: int | None = None, dropout: float = 0.1) -> Any:
    """Return a layer of the question's width with seeded weights, in eval() mode."""
    return probe.fill(MultiHeadAttention(probe["E"], heads or probe["H"], dropout))


def sources(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return query (N, S, E), key and value (N, T, E)."""
    N, S, T, E = probe["N S T E"]
    return probe.normal(N, S, E), probe.normal(N, T, E), probe.normal(N, T, E)


def of_itself(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return a sequence as query, key and value: three separate tensors, as in the exam, whose sandbox copies each."""
    return x, x.clone(), x.clone()


def visible(probe: Probe, rows: int) -> torch.Tensor:
    """Return a mask (rows, T), true where attention is allowed: about half of it, and at least two places a row."""
    S, T = rows, probe["T"]
    mask = probe.uniform(S, T) < 0.5
    for row in range(S):
        mask[row, torch.from_numpy(probe.rng.choice(T, 2, replace=False))] = True
    return mask


@multi_head_attention.test("one head: dropout(softmax(QKᵀ/√E))V, projected")
def one_head(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention, heads=1)
    return layer(*sources(probe))


@multi_head_attention.test("several heads: each on its own part of the width, scaled by √(E/H)")
def several_heads(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention)
    query, key, value = sources(probe)
    return layer(query=query, key=key, value=value)


@multi_head_attention.test("a mask of booleans: weight zero wherever it is false")
def boolean_mask(probe: Probe, MultiHeadAttention: Any) -> Any:
    # Query, key and value are equal, so that an answer that confuses key and value can still pass this test.
    T, E = probe["T E"]
    x = probe.normal(probe["N"], T, E)
    return attention_layer(probe, MultiHeadAttention)(*of_itself(x), attn_mask=visible(probe, T))


@multi_head_attention.test("a mask of numbers: 1.0 makes a place visible, 0.0 hides it")
def number_mask(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention)
    return layer(*sources(probe), attn_mask=visible(probe, probe["S"]).to(torch.get_default_dtype()))


@multi_head_attention.test("dropout of everything leaves only the bias of the last projection, and only while training")
def dropout_of_all(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention, dropout=1.0)
    inputs = sources(probe)
    quiet = twice(probe, lambda: layer(*(x.clone() for x in inputs)))
    layer.train()
    trained = twice(probe, lambda: layer(*(x.clone() for x in inputs)))
    judged = {STEADY: not moved(*quiet), AT_RATE_ONE: not moved(*trained)}
    judged[N_("the result is the same while training and outside; dropout must make a difference")] = moved(
        quiet[0], trained[0]
    )
    return judged | ({} if moved(*trained) else {N_("while training"): trained[0]})


@multi_head_attention.test("what is dropped while training: weights, not scores, not values, not results")
def what_is_dropped(probe: Probe, MultiHeadAttention: Any) -> Any:
    # With one source (T = 1) every weight is 1. Dropout of weights with p = 1/2 makes a head's whole result 0 or 2, for
    # each query anew. Dropout of scores changes nothing; dropout of results or of values makes single components 0.
    S, E, H = probe["S E H"]
    N = 101
    layer = attention_layer(probe, MultiHeadAttention, dropout=0.5)
    layer.proj.weight.data.copy_(torch.eye(E))
    layer.proj.bias.data.zero_()
    layer.value.weight.data.zero_()
    layer.value.bias.data.fill_(1.0)
    layer.train()
    result = probe.value(layer(probe.normal(N, S, E), probe.normal(N, 1, E), probe.normal(N, 1, E)))
    heads = result.reshape(N, S, H, E // H)
    dropped, doubled = heads.abs() < 1e-6, (heads - 2).abs() < 1e-4
    whole = bool((dropped.all(-1) | doubled.all(-1)).all())
    return {
        N_(
            "a head is zero or doubled in part, or not at all; with one weight dropped or kept, all of it must be"
        ): whole,
        N_("the same places are dropped for all queries; each query must have its own draw"): bool(
            (dropped == dropped[:, :1]).all()
        ),
        # Even an answer with a single head draws at least 101 * 5 weights, so the dropped share has a standard
        # deviation of at most 0.022. It is not judged where heads are partly dropped, because it is arbitrary there.
        N_("the share that is dropped is not about one half, the given rate"): not whole
        or bool(0.37 < dropped.float().mean() < 0.63),
    }


# A gradient's norm sums many terms of both signs: it is exact to one digit less than the values.
@multi_head_attention.test("the right gradients reach every parameter", rtol=1e-3, atol=1e-3)
def gradients(probe: Probe, MultiHeadAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = attention_layer(probe, MultiHeadAttention)
    layer(*sources(probe)).backward(probe.normal(N, S, E))
    # Without key.bias: the softmax ignores a common shift of all scores, so its gradient is only rounding errors.
    names = ("key.weight", "query.weight", "query.bias", "value.weight", "value.bias", "proj.weight", "proj.bias")
    return gradient_norms(probe, layer, names)


@multi_head_attention.test("the right result in double precision, from inputs that stay unchanged")
def careful(probe: Probe, MultiHeadAttention: Any) -> Any:
    S = probe["S"]
    layer = attention_layer(probe, MultiHeadAttention).to(torch.float64)
    # (1, S, E), in the exam a part of what stays in the sandbox; not (1, E, E), where √S would be √E.
    x = layer.key.weight.detach().narrow(0, 0, S).clone().unsqueeze(0)
    before = probe.value(x)
    result = probe.value(layer(x, x, x, torch.tril(torch.ones(S, S))))
    return {
        N_("the result"): result,
        N_("precision of the output"): str(result.dtype),
        N_("an input is changed; leave the inputs as they are"): not moved(before, probe.value(x)),
    }


@multi_head_attention.test(ON_GPU)
def on_gpu(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention)
    with probe.gpu():
        inputs = map(probe.there, (*sources(probe), visible(probe, probe["S"])))
        return probe.located(probe.there(layer)(*inputs))


def asked_inputs(probe: Probe, draw: Draw) -> Inputs:
    N, S, T, E = probe["N S T E"]
    mask = draw.whole("mask", S, T) > 1
    for row in range(S):
        mask[row, draw(f"visible {row}", T)] = True
    sources = {name: draw.whole(name, N, T, E) for name in ("key", "value")}
    return {"key": sources["key"], "query": draw.whole("query", N, S, E), "value": sources["value"], "mask": mask}


def asked_result(probe: Probe, MultiHeadAttention: Any, inputs: Inputs) -> Any:
    # Weights so small that no visible place is looked at for almost nothing.
    layer = probe.fill(MultiHeadAttention(*probe["E H"]), scale=0.1)
    return layer(inputs["query"], inputs["key"], inputs["value"], inputs["mask"])


own_code = OwnCode(
    "own_code",
    title="Your own code",
    sizes={"N": 2, "S": 4, "T": 3, "E": 15, "H": 5},
    gap=Gap("MultiHeadAttention", "y = layer(query, key, value, mask)", "y[n, s]", asked_inputs, asked_result),
)
