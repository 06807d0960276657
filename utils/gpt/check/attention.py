"""Sections 3, 4 and 9: rotation, causal attention with it, questions on its code, and one step with a cache."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.own_code import Draw, Gap, Inputs
from utils.checks.engine.probe import ON_GPU, Probe, gradient_norms, gradients
from utils.checks.own_code import OwnCode
from utils.common.messages import N_
from utils.gpt.check.inputs import moved

rotate = Check(
    "rotate",
    title="Rotation",
    sizes={"N": 5, "H": 3, "S": 7, "d": 10},
    hints=(
        "First make a table of angles, (S, d/2): position times speed. Then write the two lines of the matrix, for all "
        "pairs at once.",
        "`x[..., 0::2]` has the first components of all pairs, `x[..., 1::2]` the second ones. After the "
        "turn, the two components of a pair must be next to each other again.",
        "`torch.stack([first, second], dim=-1).flatten(-2)` puts neighbours back; `torch.cat` would not. Positions run "
        "from `start` to `start + S - 1`.",
    ),
)


def heads_and_positions(probe: Probe) -> torch.Tensor:
    """Return x (N, H, S, d)."""
    return probe.normal(*probe["N H S d"])


@rotate.test("each pair of neighbours turned by position × speed, from position 0 on")
def turned(probe: Probe, rotate: Any, nn: Any) -> Any:
    return rotate(heads_and_positions(probe))


@rotate.test("places that start at another position")
def from_start(probe: Probe, rotate: Any, nn: Any) -> Any:
    return {"start=1": rotate(heads_and_positions(probe), 1), "start=23": rotate(heads_and_positions(probe), start=23)}


@rotate.test("a dot product of two turned vectors depends on their distance alone")
def distance(probe: Probe, rotate: Any, nn: Any) -> Any:
    N, H, d = probe["N H d"]
    query, key = probe.normal(N, H, 1, d), probe.normal(N, H, 1, d)
    # The same distance, 4, at two positions: the product must be the same.
    near, far = (
        (
            probe.shaped(rotate(query.clone(), start), N, H, 1, d)
            * probe.shaped(rotate(key.clone(), start - 4), N, H, 1, d)
        ).sum(-1)
        for start in (6, 17)
    )
    unturned = (query * key).sum(-1)
    return {
        N_("at the same distance, the product changes with the positions; it must not"): bool(
            (near - far).abs().max() > 1e-3
        ),
        N_("the product stays the same at another distance, but it must change"): moved(unturned, near),
    }


@rotate.test("one place of one head of two components")
def smallest(probe: Probe, rotate: Any, nn: Any) -> Any:
    return rotate(probe.normal(1, 1, 1, 2), 3)


@rotate.test("the right gradient reaches the vectors that are turned")
def rotate_gradient(probe: Probe, rotate: Any, nn: Any) -> Any:
    x = nn.Parameter(heads_and_positions(probe))
    rotate(x.clone(), 2).pow(3).sum().backward()  # a copy: only the next test asks that the input stays as it was
    return gradients(probe, x=x)


@rotate.test("x itself stays unchanged")
def hands_kept(probe: Probe, rotate: Any, nn: Any) -> Any:
    x = nn.Parameter(heads_and_positions(probe)).detach()  # in the exam it stays in the sandbox
    result = rotate(x, 2)
    return {N_("the result"): result, N_("the input"): x}


@rotate.test(ON_GPU)
def rotated_on_gpu(probe: Probe, rotate: Any, nn: Any) -> Any:
    with probe.gpu():
        return probe.located(rotate(probe.there(heads_and_positions(probe)), 2))


self_attention = Check(
    "self_attention",
    title="Causal self-attention",
    sizes={"N": 4, "S": 9, "E": 12, "H": 2, "d": 6},
    lacks={
        "with_stand_ins": N_(
            "your class does not inherit from ours: keep `class SelfAttention(scaffold.SelfAttention)`, "
            "without `__init__`"
        )
    },
    hints=(
        "`look` is all of attention up to the softmax; `forward` multiplies its weights by the values.",
        "Split into heads first, then turn queries and keys; scores over √d; hide what is later; softmax over the last "
        "axis.",
        "`triu(1)` of a tensor of ones is true above the diagonal; `masked_fill` with −∞ there. Values are split, but "
        "not turned.",
    ),
)


def attention_layer(probe: Probe, SelfAttention: Any, heads: int | None = None) -> Any:
    """Return a layer with seeded weights, whose rotation is a stand-in."""
    return probe.fill(SelfAttention.with_stand_ins(probe["E"], heads or probe["H"]), scale=0.3)


@self_attention.test("look, from the second place on: softmax of the turned queries and keys over √d")
def weights(probe: Probe, SelfAttention: Any) -> Any:
    # The first row is left out: with a mask that also hides the diagonal it would be NaN.
    N, S, E = probe["N S E"]
    return attention_layer(probe, SelfAttention).look(probe.normal(N, S, E)).narrow(2, 1, S - 1)


@self_attention.test("forward: the weighted values of all heads, joined and projected")
def result(probe: Probe, SelfAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    return attention_layer(probe, SelfAttention)(probe.normal(N, S, E))


@self_attention.test("one head, and one place alone")
def one_of_each(probe: Probe, SelfAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = attention_layer(probe, SelfAttention, heads=1)
    return {N_("one head"): layer(probe.normal(N, S, E)), N_("one place"): layer(probe.normal(N, 1, E))}


@self_attention.test("later places never change the results of earlier ones, and weigh exactly nothing")
def nothing_later(probe: Probe, SelfAttention: Any) -> Any:
    N, S, E, H = probe["N S E H"]
    layer = attention_layer(probe, SelfAttention)
    x = probe.normal(N, S, E)
    changed = x.clone()
    changed[:, -2:] += 1
    before, after = (probe.shaped(layer(before), N, S, E) for before in (x, changed))
    seen = probe.shaped(layer.look(x), N, H, S, S)
    return {
        N_("results of earlier places change; they must not"): moved(before[:, :-2], after[:, :-2]),
        N_("later places have some weight; they must have exactly none"): bool((seen.triu(1) == 0).all()),
    }


@self_attention.test("the right gradients reach query, key, value and projection", rtol=1e-3, atol=1e-3)
def attention_gradients(probe: Probe, SelfAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = attention_layer(probe, SelfAttention)
    layer(probe.normal(N, S, E)).backward(probe.normal(N, S, E))
    return gradient_norms(probe, layer, [f"{name}.weight" for name in ("query", "key", "value", "proj")])


@self_attention.test(ON_GPU)
def attention_on_gpu(probe: Probe, SelfAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = attention_layer(probe, SelfAttention)
    with probe.gpu():
        return probe.located(probe.there(layer)(probe.there(probe.normal(N, S, E))))


def asked_inputs(probe: Probe, draw: Draw) -> Inputs:
    return {"x": draw.whole("x", *probe["N S E"])}


def asked_result(probe: Probe, SelfAttention: Any, inputs: Inputs) -> Any:
    # Weights so small that no place is looked at for almost nothing: then a number changes each row that it can reach.
    return probe.fill(SelfAttention.with_stand_ins(*probe["E H"]), scale=0.1)(inputs["x"])


own_code = OwnCode(
    "own_code",
    title="Your own code",
    sizes={"N": 2, "S": 5, "E": 12, "H": 3, "d": 4},
    gap=Gap("SelfAttention", "y = layer(x)", "y[n, s]", asked_inputs, asked_result),
)


step = Check(
    "step",
    title="One step with a cache",
    sizes={"N": 4, "S": 9, "E": 12, "H": 2, "d": 6},
    hints=(
        "How many places are in the cache already? That is the position of the first new place.",
        "Turn the new queries and keys from `start` on, put the old keys and values before the new ones, and look at "
        "all of them.",
        "`torch.cat([cache[0], key], dim=2)`. In the mask of S rows, the last row is true nowhere: hide "
        "everything above diagonal number T − S, with `triu(T - S + 1)`.",
    ),
)


def outputs_in_chunks(probe: Probe, step: Any, Attention: Any, lengths: tuple[int, ...]) -> list[torch.Tensor]:
    """Feed x in chunks of these lengths, handing each call the cache that the last one returned; return the outputs."""
    N, E, H = probe["N E H"]
    layer = probe.fill(Attention(E, H), scale=0.3)
    x = probe.normal(N, sum(lengths), E)
    outputs, cache = [], None
    for chunk in x.split(list(lengths), dim=1):
        # Not `output, cache = step(…)`: in the exam `step` returns a proxy, which can be indexed but not unpacked.
        returned = step(layer, chunk, cache)
        output, cache = returned[0], returned[1]
        outputs.append(probe.shaped(output, *chunk.shape))
    return outputs


@step.test("the beginning of a text, all at once, without a cache")
def beginning(probe: Probe, step: Any, Attention: Any) -> Any:
    return outputs_in_chunks(probe, step, Attention, (probe["S"],))


@step.test("one place after the other: each sees itself and all earlier ones")
def one_by_one(probe: Probe, step: Any, Attention: Any) -> Any:
    return outputs_in_chunks(probe, step, Attention, (1, 1, 1, 1))


@step.test("a beginning of five places, then one, then one more")
def then_one(probe: Probe, step: Any, Attention: Any) -> Any:
    return outputs_in_chunks(probe, step, Attention, (5, 1, 1))


@step.test("several new places after a cache: none sees a later one")
def several_new(probe: Probe, step: Any, Attention: Any) -> Any:
    return outputs_in_chunks(probe, step, Attention, (5, 6))


@step.test(ON_GPU)
def step_on_gpu(probe: Probe, step: Any, Attention: Any) -> Any:
    N, E, H = probe["N E H"]
    layer = probe.fill(Attention(E, H), scale=0.3)
    with probe.gpu():
        layer = probe.there(layer)
        cache = step(layer, probe.there(probe.normal(N, 8, E)), None)[1]  # 8 is not the length of another axis
        return probe.located(step(layer, probe.there(probe.normal(N, 2, E)), cache)[0])
