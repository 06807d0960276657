"""Sections 7 and 8: the decoder that looks back, and where it looked."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import AT_RATE_ONE, ON_GPU, STEADY, Probe, gradients
from utils.common.messages import N_
from utils.seq2seq.check.inputs import mask_of
from utils.seq2seq.vocabulary import SOS_token

decoder_step = Check(
    "decoder_step",
    title="The attention decoder's step",
    sizes={"N": 9, "T": 7, "V": 13, "E": 5, "G": 11, "D": 2},
    hints=(
        "The context comes first: ask the attention with the old state, not with the new one.",
        "Concatenate the word's vector and the context for the cell; the new state, the context and the word's vector "
        "for the output. Every concatenation is along the last axis.",
        "`self.attention(hidden, *memory)`, `self.cell(input, hidden)`, `self.output(...)`: each called once.",
    ),
)


def decoder_and_inputs(
    probe: Probe, AttentionDecoder: Any, Attention: Any, dropout: float = 0.0, n: int | None = None
) -> tuple[Any, torch.Tensor, torch.Tensor, Any]:
    """Return a decoder with seeded parameters, and its inputs: word (N,), hidden (N, G), memory; `n` replaces N."""
    N, T, V, E, G, D = probe["N T V E G D"]
    N = n or N
    decoder = probe.fill(AttentionDecoder(V, E, G, D, Attention(), dropout))
    states, mask = probe.normal(N, T, D), mask_of(probe.integers(2, T + 1, N), T)
    memory = decoder.memory(states, mask, probe.normal(N, D))
    return decoder, probe.integers(2, V, N), probe.normal(N, G), memory


def result_of(probe: Probe, step: Any) -> dict[str, Any]:
    """Return a step's logits, state and weights as plain values."""
    logits, hidden, weights = map(probe.value, probe.several(step, 3))
    return {N_("the scores"): probe.scores(logits), N_("the new state"): hidden, N_("the weights"): weights}


def alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two results of a step are the same, but for rounding."""
    return all(torch.allclose(one[part], other[part], equal_nan=True) for part in one)


@decoder_step.test("the scores of the next word (one number may be added to all V)")
def logits(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    return probe.scores(decoder.step(word, hidden, memory)[0])


@decoder_step.test("the new state")
def state(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    return decoder.step(word, hidden, memory)[1]


@decoder_step.test("the attention's weights, asked with the old state")
def weights_of_step(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    return probe.several(decoder.step(word, hidden, memory), 3)[2]


@decoder_step.test("a single sentence, and SOS as the word")
def alone(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention, n=1)
    return result_of(probe, decoder.step(torch.full_like(word, SOS_token), hidden, memory))


@decoder_step.test("the right results with dropout, which acts on the word's vector, and only in training")
def dropout(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    # With p = 1 dropout sets all its inputs to 0, without any random number: the result shows what was dropped.
    # So many sentences that at another rate two calls never drop the same numbers by chance.
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention, dropout=1.0, n=29)
    evaluated = [result_of(probe, decoder.step(word, hidden, memory)) for _ in range(2)]
    decoder.train()
    trained = [result_of(probe, decoder.step(word, hidden, memory)) for _ in range(2)]
    outside = {N_("outside training"): evaluated[0]} if alike(*evaluated) else {}
    inside = {N_("while training"): trained[0]} if alike(*trained) else {}
    return outside | inside | {STEADY: alike(*evaluated), AT_RATE_ONE: alike(*trained)}


@decoder_step.test("the right gradient reaches every layer")
def every_layer(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    decoder, word, hidden, memory = decoder_and_inputs(probe, AttentionDecoder, Attention)
    result = decoder.step(word, hidden, memory)
    result[0].log_softmax(-1).pow(2).sum().backward()
    return gradients(probe, embedding=decoder.embedding.weight, cell=decoder.cell.weight_ih)


@decoder_step.test(ON_GPU)
def step_on_gpu(probe: Probe, AttentionDecoder: Any, Attention: Any) -> Any:
    N, T, D = probe["N T D"]
    decoder, word, hidden, _ = decoder_and_inputs(probe, AttentionDecoder, Attention)
    states, mask = probe.normal(N, T, D), mask_of(probe.integers(2, T + 1, N), T)
    with probe.gpu():
        decoder = probe.there(decoder)
        memory = decoder.memory(probe.there(states), probe.there(mask), probe.there(probe.normal(N, D)))
        result = decoder.step(probe.there(word), probe.there(hidden), memory)
        probe.several(result, 3)
        return probe.located(result[1])


alignment = Check(
    "alignment",
    title="Where it looks",
    sizes={"S": 5, "T": 7},
    hints=(
        "Row i of the weights belongs to written word i. Which axis belongs to the words that are read?",
        "The argmax of each row, over the axis of length T, is the index of a word in `read`.",
        "`weights.argmax(dim=1)` has S indices; pair each with its word of `written`.",
    ),
)

READ = ["elle", "porte", "une", "robe", "rouge", ".", "EOS"]
WRITTEN = ["she", "wears", "a", "red", "dress"]


@alignment.test("for each word written, the word with most of the weight")
def pairs(probe: Probe, alignment: Any) -> Any:
    return alignment(probe.uniform(*probe["S T"]), READ, WRITTEN)
