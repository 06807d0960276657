"""Sections 3, 6 and 7: weights and context, questions on their code, both forms of the score, and W cut in two."""

import math
from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.own_code import Draw, Gap, Inputs
from utils.checks.engine.probe import ON_GPU, Probe, gradients, or_nothing
from utils.checks.own_code import OwnCode
from utils.common.messages import N_
from utils.seq2seq.check.inputs import lengths, mask_of

attend = Check(
    "attend",
    title="Weights and context",
    sizes={"N": 3, "T": 7, "D": 5},
    hints=(
        "Softmax runs over the words of one sentence. Hide the padding before it, not after.",
        "Give the padded places the score −∞ in a new tensor; softmax over the axis of length T; then "
        "multiply each state by its weight and sum over that same axis.",
        "`scores.masked_fill(~mask, float('-inf'))` returns a new tensor. (N, 1, T) times (N, T, D) is "
        "(N, 1, D), and `squeeze(1)` removes that axis only.",
    ),
)


def scored_states(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return scores (N, T), states (N, T, D) and mask (N, T); at the padding, too, the numbers are random."""
    N, T, D = probe["N T D"]
    return 2 * probe.normal(N, T), probe.normal(N, T, D), mask_of(lengths(probe, T), T)


@attend.test("the context is the weighted mean of the states")
def context(probe: Probe, attend: Any, identity: Any) -> Any:
    return probe.several(attend(*scored_states(probe)), 2)[0]


@attend.test("the weights are a softmax over the words of each sentence")
def attention_weights(probe: Probe, attend: Any, identity: Any) -> Any:
    return probe.several(attend(*scored_states(probe)), 2)[1]


@attend.test("without any padding")
def no_padding(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = scored_states(probe)
    return probe.several(attend(scores, states, torch.ones_like(mask)), 2)


@attend.test("padding has exactly no weight")
def exactly_zero(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = scored_states(probe)
    weights = probe.shaped(probe.several(attend(scores, states, mask), 2)[1], *mask.shape)
    return {N_("weights at padding are not exactly 0, but they must be"): bool((weights[~mask] == 0).all())}


@attend.test("large scores stay finite, at words and at padding")
def large_scores(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = scored_states(probe)
    # Multiples of 1/64 stay exact when 800 or 2000 is added. No float can hold the exponential of 800.
    scores = (64 * scores).round() / 64
    return {
        N_("large scores at words"): probe.several(attend(scores + 800, states, mask), 2),
        N_("large scores at padding"): probe.several(attend(scores + 2000 * ~mask, states, mask), 2),
    }


@attend.test("a batch of one sentence gives (1, D) and (1, T)")
def batch_of_one(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = scored_states(probe)
    return probe.several(attend(scores[1:2], states[1:2], mask[1:2]), 2)


@attend.test("the right gradient reaches scores and states")
def gradient(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = scored_states(probe)
    scores, states = identity(scores).requires_grad_(), identity(states).requires_grad_()
    result = attend(scores.clone(), states.clone(), mask)
    probe.several(result, 2)
    result[0].pow(2).sum().backward()
    return gradients(probe, scores=scores, states=states)


@attend.test("the given scores stay unchanged")
def scores_unchanged(probe: Probe, attend: Any, identity: Any) -> Any:
    scores, states, mask = scored_states(probe)
    given = identity(scores.clone())
    probe.several(attend(given, states, mask), 2)  # raises for an answer that does nothing
    changed = (probe.value(given) != scores) & mask.logical_not()
    return {
        N_("the given scores are changed; leave them as they are"): bool(changed.any()),
        N_("the scores of words"): probe.value(given).masked_fill(~mask, 0.0),
    }


@attend.test(ON_GPU)
def on_gpu(probe: Probe, attend: Any, identity: Any) -> Any:
    with probe.gpu():
        result = attend(*map(probe.there, scored_states(probe)))
        probe.several(result, 2)
        return probe.located(result[0])


def asked_inputs(probe: Probe, draw: Draw) -> Inputs:
    N, T, D = probe["N T D"]
    # Within a sentence no two states have an equal number, so that weights that change also change the context.
    states = draw.whole("states", N, T, D) + 5 * torch.arange(T).view(1, T, 1)
    lengths = torch.tensor([2 + draw(f"length {n}", T - 1) for n in range(N)])
    return {"scores": draw.whole("scores", N, T), "states": states, "mask": mask_of(lengths, T)}


def asked_result(probe: Probe, attend: Any, inputs: Inputs) -> torch.Tensor:
    """Return the weights and the context side by side, (N, T + D)."""
    context, weights = probe.several(attend(*inputs.values()), 2)
    return torch.cat([probe.value(weights), probe.value(context)], dim=1)


own_code = OwnCode(
    "own_code",
    title="Your own code",
    sizes={"N": 3, "T": 4, "D": 2},
    gap=Gap("attend", "attend(scores, states, mask)", "y[n, i]", asked_inputs, asked_result),
)


concat_score = Check(
    "concat_score",
    title="Concat form of the score",
    sizes={"N": 9, "T": 7, "G": 5, "D": 2, "R": 11},
    hints=(
        "The query must be beside each of the T states before they are concatenated.",
        "`query.unsqueeze(1).expand(-1, T, -1)` is (N, T, G); followed by the states, it is (N, T, G + D).",
        "The product with `W.T` gives (N, T, R), tanh keeps the shape, and the product with `v` removes R.",
    ),
)


def compared(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return query (N, G), states (N, T, D), W (R, G + D), v (R,)."""
    N, T, G, D, R = probe["N T G D R"]
    return probe.normal(N, G), probe.normal(N, T, D), probe.normal(R, G + D) / 2, probe.normal(R)


@concat_score.test("v · tanh(W [s ; h]) for every state of every sentence")
def concat_scores(probe: Probe, concat_score: Any, identity: Any) -> Any:
    return concat_score(*compared(probe))


@concat_score.test("a batch of one sentence")
def concat_one(probe: Probe, concat_score: Any, identity: Any) -> Any:
    query, states, W, v = compared(probe)
    return concat_score(query[:1], states[:1], W, v)


@concat_score.test("the right gradient reaches the query, the states, W and v")
def concat_gradient(probe: Probe, concat_score: Any, identity: Any) -> Any:
    query, states, W, v = (identity(part).requires_grad_() for part in compared(probe))
    concat_score(*(part.clone() for part in (query, states, W, v))).pow(2).sum().backward()
    return gradients(probe, query=query, states=states, W=W, v=v)


@concat_score.test(ON_GPU)
def concat_on_gpu(probe: Probe, concat_score: Any, identity: Any) -> Any:
    with probe.gpu():
        return probe.located(concat_score(*map(probe.there, compared(probe))))


cut = Check(
    "cut",
    title="W cut in two",
    sizes={"G": 5, "D": 2, "R": 11},
    hints=(
        "Write out the product of one row of W with [s ; h]. Which of the row's numbers are multiplied by numbers "
        "of s?",
        "Each column of W meets one component of [s ; h], and s, with its G components, comes first.",
        "`W[:, a:b]` takes all rows, and of each the columns from a to b - 1.",
    ),
)


def uncut(probe: Probe) -> torch.Tensor:
    """Return W (R, G + D)."""
    G, D, R = probe["G D R"]
    return probe.normal(R, G + D)


@cut.test("the part that meets s, and the part that meets h")
def parts(probe: Probe, cut: Any, identity: Any) -> Any:
    return probe.several(cut(uncut(probe), probe["G"]), 2)


@cut.test("the parts where s has as many components as h had")
def another_cut(probe: Probe, cut: Any, identity: Any) -> Any:
    return probe.several(cut(uncut(probe), probe["D"]), 2)


@cut.test("the right gradient reaches W through both parts")
def cut_gradient(probe: Probe, cut: Any, identity: Any) -> Any:
    W = identity(uncut(probe)).requires_grad_()
    both = cut(W.clone(), probe["G"])  # not unpacked: while grading it is in the sandbox
    both[0].pow(2).sum().add(both[1].pow(3).sum()).backward()
    return gradients(probe, W=W)


@cut.test(ON_GPU)
def cut_on_gpu(probe: Probe, cut: Any, identity: Any) -> Any:
    with probe.gpu():
        result = cut(probe.there(uncut(probe)), probe["G"])
        probe.several(result, 2)
        return [probe.located(part) for part in (result[0], result[1])]


additive_attention = Check(
    "additive_attention",
    title="Additive attention",
    sizes={"N": 9, "T": 7, "G": 5, "D": 2, "R": 11},
    lacks={"v": N_("your layer has no `v`: make the vector in the constructor and keep it as `self.v`")},
    hints=(
        "The query has one vector for each sentence, the keys T: which axis is missing, and where?",
        "(N, 1, R) plus (N, T, R) is (N, T, R); tanh; then the product with v along the axis R.",
        "`self.query_layer(query).unsqueeze(1) + keys`; `self.v` is an `nn.Parameter` made in the constructor, with "
        "`uniform_` or `randn` times a small number.",
    ),
)


def additive(probe: Probe, AdditiveAttention: Any) -> Any:
    """Return a layer with seeded parameters; v may have the shape (R,), (1, R) or (R, 1), or be an `nn.Linear`."""
    G, D, R = probe["G D R"]
    layer = probe.fill(AdditiveAttention(G, D, R))
    shapes = probe.parameters(layer)
    shape = shapes.get("v.weight") or shapes.get("v") or [R]
    if "v.bias" in shapes:
        layer.v.bias.data.zero_()  # shifts all scores of a sentence alike, which the softmax ignores
    values = probe.parameter_values("v", (math.prod(shape),), 1.0).reshape(shape)
    vector_of(probe, layer).data.copy_(values.to(torch.get_default_dtype()))
    return layer


def vector_of(probe: Probe, layer: Any) -> Any:
    """Return the layer's vector v. Raises: AttributeError where the student has not made it, or has set it to None."""
    shapes = probe.parameters(layer)
    if "v.weight" in shapes:
        return layer.v.weight
    if "v" not in shapes and isinstance(or_nothing(probe, layer.v), str):
        raise AttributeError("'AdditiveAttention' object has no attribute 'v'")
    return layer.v


def query_and_keys(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Return query (N, G), keys (N, T, R)."""
    N, T, G, R = probe["N T G R"]
    return probe.normal(N, G), probe.normal(N, T, R)


@additive_attention.test("v · tanh(W_s s + key) for every key of every sentence")
def scores(probe: Probe, AdditiveAttention: Any) -> Any:
    return additive(probe, AdditiveAttention).score(*query_and_keys(probe))


@additive_attention.test("a batch of one sentence with one word")
def one_word(probe: Probe, AdditiveAttention: Any) -> Any:
    query, keys = query_and_keys(probe)
    return additive(probe, AdditiveAttention).score(query[:1], keys[:1, :1])


@additive_attention.test("the whole layer, called with the given `forward`: the context of the states, and the weights")
def as_a_whole(probe: Probe, AdditiveAttention: Any) -> Any:
    query, keys = query_and_keys(probe)
    states, mask = probe.normal(*probe["N T D"]), mask_of(lengths(probe, probe["T"]), probe["T"])
    context, weights = probe.several(additive(probe, AdditiveAttention)(query, states, keys, mask), 2)
    weights = probe.shaped(weights, *mask.shape)
    # Of the student's own weights, so that a mistake in the score costs nothing here.
    means = (weights.unsqueeze(2) * states.to(weights.dtype)).sum(dim=1)
    right = context.shape == means.shape and bool((context - means).abs().max() < 1e-4)
    sums = bool(((weights * mask).sum(dim=1) - 1).abs().max() < 1e-4)
    return {N_("the context is the weighted mean of the states"): right, N_("the weights of the words sum to 1"): sums}


@additive_attention.test("the right gradient reaches v, W_s, the query and the keys")
def score_gradient(probe: Probe, AdditiveAttention: Any) -> Any:
    layer = additive(probe, AdditiveAttention)
    N, T, G, D = probe["N T G D"]
    layer.score(probe.normal(N, G), layer.keys(probe.normal(N, T, D))).pow(2).sum().backward()
    found = gradients(
        probe, v=vector_of(probe, layer), query_layer=layer.query_layer.weight, key_layer=layer.key_layer.weight
    )
    if isinstance(found["v"], torch.Tensor):
        found["v"] = found["v"].reshape(-1)
    return found


@additive_attention.test(ON_GPU)
def additive_on_gpu(probe: Probe, AdditiveAttention: Any) -> Any:
    layer = additive(probe, AdditiveAttention)
    with probe.gpu():
        return probe.located(probe.there(layer).score(*map(probe.there, query_and_keys(probe))))


@additive_attention.test("v is a parameter filled with small random numbers")
def v_filled(probe: Probe, AdditiveAttention: Any) -> Any:
    seen = []
    kept = []
    for _ in range(2):
        layer = AdditiveAttention(2, 2, 997)
        kept.append(layer)  # otherwise the second layer could reuse the first one's memory
        v = probe.value(vector_of(probe, layer)).reshape(-1).double()
        seen.append(v)
    spread = [float(v.std()) for v in seen]
    bounded = all(bool(torch.isfinite(v).all()) and 1e-4 < s < 3 for v, s in zip(seen, spread, strict=True))
    even = bounded and all(float(v.abs().max()) < 8 * s for v, s in zip(seen, spread, strict=True))
    return {
        N_("v is not a parameter of the layer, but it must be"): any(
            name[:1] == "v" for name in probe.parameters(kept[0])
        ),
        N_("the number of its entries"): len(seen[0]),
        N_("the entries of v are too large or all the same; they must be small and different"): even,
        N_("a second layer gets the same v; it must be drawn again"): even and not torch.equal(*seen),
    }
