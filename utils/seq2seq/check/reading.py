"""Section 4, reading: the single vector that represents a sentence."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe
from utils.seq2seq.check.inputs import lengths, mask_of

summarise = Check(
    "summarise",
    title="The sentence's vector",
    sizes={"N": 3, "T": 7, "D": 10, "D/2": 5},
    hints=(
        "The last word of sentence n is not at T - 1 but where its mask is True for the last time.",
        "The number of words of each sentence is `mask.sum(dim=1)`. The forward half is taken at the last word, the "
        "backward half at the first.",
        "Indexing with two vectors, `states[rows, last]`, takes one state of each sentence.",
    ),
)


def sentence_states(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Return states (N, T, D), random at the padding, too, and the mask (N, T)."""
    N, T, D = probe["N T D"]
    return probe.normal(N, T, D), mask_of(lengths(probe, T), T)


@summarise.test("forward half at the last word, backward half at the first")
def vector(probe: Probe, summarise: Any) -> Any:
    return summarise(*sentence_states(probe))


@summarise.test("a batch of one sentence")
def one_sentence(probe: Probe, summarise: Any) -> Any:
    states, _ = sentence_states(probe)
    # Lengths at which no index is right, or wrong in the same way, by chance: counted from either end they differ.
    return [summarise(states[1:2], mask_of(torch.tensor([length]), probe["T"])) for length in (3, 6)]


@summarise.test(ON_GPU)
def on_gpu(probe: Probe, summarise: Any) -> Any:
    with probe.gpu():
        return probe.located(summarise(*map(probe.there, sentence_states(probe))))
