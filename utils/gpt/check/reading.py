"""Sections 1 and 2: the loss of each letter, the norm, and the block."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import Probe, gradient_norms, gradients
from utils.common.messages import N_

nats = Check(
    "nats",
    title="Nats per letter",
    sizes={"N": 3, "S": 7, "V": 5},
    hints=(
        "For a row of three letters, write down which scores are about which letter. One letter and the "
        "scores of one place have no partner.",
        "Drop the scores of the last place and the first letter. `log_softmax` over the last axis gives the logarithms "
        "of all probabilities; you need one out of each V.",
        "`log_p.gather(-1, letters[:, 1:].unsqueeze(-1))` picks the letters that came; take away the last axis, and "
        "change the sign.",
    ),
)


def scored_letters(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Return scores (N, S, V) and letters (N, S)."""
    N, S, V = probe["N S V"]
    return 2 * probe.normal(N, S, V), probe.integers(0, V, N, S)


@nats.test("(N, S - 1): minus the logarithm of the probability of each letter from the second on")
def each_letter(probe: Probe, nats: Any, nn: Any) -> Any:
    return nats(*scored_letters(probe))


@nats.test("a single row of two letters")
def two_letters(probe: Probe, nats: Any, nn: Any) -> Any:
    logits = scored_letters(probe)[0][:1, :2]
    # The second letter is the unlikeliest after the first: so it is neither the first letter nor the likeliest one.
    letters = torch.stack([logits[:, 0].argmax(-1), logits[:, 0].argmin(-1)], dim=1)
    return nats(logits, letters)


@nats.test("scores of some thousands give finite losses")
def large(probe: Probe, nats: Any, nn: Any) -> Any:
    letters = scored_letters(probe)[1]
    # A probability is a simple fraction, or so small that it is 0 in single and in double precision.
    return nats(1000.0 * probe.integers(-3, 4, *letters.shape, probe["V"]), letters)


@nats.test("the right gradient reaches the scores")
def nats_gradient(probe: Probe, nats: Any, nn: Any) -> Any:
    logits, letters = scored_letters(probe)
    given = nn.Parameter(logits)
    nats(given.clone(), letters).pow(2).sum().backward()  # a copy, which an answer may change in place
    return gradients(probe, logits=given)


rms_norm = Check(
    "rms_norm",
    title="RMSNorm",
    by_hand=("rms_norm", "nn.RMSNorm"),
    sizes={"N": 3, "S": 7, "E": 5},
    hints=(
        "Which axis is summed away, and must its place be kept for the division?",
        "The mean of the squares over the last axis, with `keepdim=True`; then epsilon, then the root.",
        "`x.pow(2).mean(dim=-1, keepdim=True)` is (..., 1); add epsilon, divide x by the root, and "
        "multiply by `self.gain`.",
    ),
)


def norm_layer(probe: Probe, RMSNorm: Any) -> Any:
    """Return a norm with a seeded gain."""
    return probe.fill(RMSNorm(probe["E"]), scale=1.0)


@rms_norm.test("each vector divided by the root of its mean square, times the gain")
def normalised(probe: Probe, RMSNorm: Any) -> Any:
    N, S, E = probe["N S E"]
    return norm_layer(probe, RMSNorm)(probe.normal(N, S, E) + 1)


@rms_norm.test("small vectors, where epsilon counts")
def small(probe: Probe, RMSNorm: Any) -> Any:
    return norm_layer(probe, RMSNorm)(probe.normal(1, 2, probe["E"]) / 100)


@rms_norm.test("a vector of zeros stays a vector of zeros")
def zeros(probe: Probe, RMSNorm: Any) -> Any:
    return norm_layer(probe, RMSNorm)(torch.zeros(1, 1, probe["E"]))


@rms_norm.test("the input stays unchanged, because the stream still needs it")
def vectors_kept(probe: Probe, RMSNorm: Any) -> Any:
    layer = norm_layer(probe, RMSNorm)
    x = layer.gain.detach().clone().unsqueeze(0)  # (1, E); in the exam it stays in the sandbox
    result = layer(x)
    return {N_("the result"): result, N_("the input"): x}


@rms_norm.test("a matrix of vectors, without an axis for the batch")
def matrix(probe: Probe, RMSNorm: Any) -> Any:
    S, E = probe["S E"]
    return norm_layer(probe, RMSNorm)(probe.normal(S, E))


# A gradient's norm sums many terms of both signs: it is exact to one digit less than the values.
@rms_norm.test("the right gradients reach the gain and the layer before", rtol=1e-3, atol=1e-3)
def norm_gradient(probe: Probe, RMSNorm: Any) -> Any:
    N, E = probe["N E"]
    before = probe.fill(RMSNorm(E), scale=1.0)  # its gain takes the part of the weights of the layer before
    layer = norm_layer(probe, RMSNorm)
    layer(before.gain.mul(probe.normal(N, E))).backward(probe.normal(N, E))
    return gradient_norms(probe, layer, ["gain"]) | {
        N_("of the layer before"): gradient_norms(probe, before, ["gain"])["gain"]
    }


block = Check(
    "block",
    title="The block",
    sizes={"N": 3, "S": 7, "E": 5},
    lacks={
        "with_stand_ins": N_(
            "your class does not inherit from ours: keep `class Block(scaffold.Block)`, without `__init__`"
        )
    },
    hints=(
        "Two lines, one for each part: what does the part read, and what happens to its result?",
        "A part reads a normalised copy of the stream; its result is added to the stream itself, which was not "
        "normalised.",
        "`x = x + self.attention(...)`, then the same with the second norm and the feed-forward part, on the new x.",
    ),
)


def small_block(probe: Probe, Block: Any) -> Any:
    """Return a block of stand-ins with seeded weights."""
    return probe.fill(Block.with_stand_ins(probe["E"]))


@block.test("x + attention(norm1(x)), then the same with the second norm and the feed-forward part")
def stream(probe: Probe, Block: Any) -> Any:
    N, S, E = probe["N S E"]
    return small_block(probe, Block)(probe.normal(N, S, E))


@block.test("the input stays unchanged")
def input_kept(probe: Probe, Block: Any) -> Any:
    layer = small_block(probe, Block)
    # (1, 3, E), in the exam a part of what stays in the sandbox.
    x = layer.feed_forward.weight.detach().narrow(0, 0, 3).clone().unsqueeze(0)
    result = layer(x)
    return {N_("the result"): result, N_("the input"): x}


@block.test("the right gradients reach both parts and both norms", rtol=1e-3, atol=1e-3)
def block_gradients(probe: Probe, Block: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = small_block(probe, Block)
    # Of squares, so that the gradient that comes back depends on the result: two mistakes of the sums look different.
    layer(layer.norm1.gain.mul(probe.normal(N, S, E))).pow(2).mul(probe.normal(N, S, E)).sum().backward()
    return gradient_norms(probe, layer, ["attention.weight", "feed_forward.weight", "norm1.gain", "norm2.gain"])
