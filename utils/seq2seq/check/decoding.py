"""Section 5, writing: greedy decoding."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe, or_nothing
from utils.common.errors import ResultError
from utils.common.messages import N_
from utils.seq2seq.check.inputs import ended, lengths
from utils.seq2seq.vocabulary import PAD_token

greedy_decode = Check(
    "greedy_decode",
    title="Greedy decoding",
    sizes={"N": 5, "T": 7, "S": 9, "V": 11},
    hints=(
        "Follow one short sentence of a batch by hand: what is in its row after it has written EOS?",
        "The word of each step is the input of the next. `ended` says which sentences have written EOS before this "
        "step; only these get PAD, and `ended` changes after that.",
        "`logits.argmax(dim=1)`, then `.masked_fill(ended, PAD_token)`; and after that `ended | (word == EOS_token)`.",
    ),
)


def translator_and_sentences(
    probe: Probe, Translator: Any, looks: bool = True
) -> tuple[Any, torch.Tensor, torch.Tensor]:
    """Return a stand-in translator, sources (N, T) of different lengths, and their mask (N, T).

    looks: whether the translator returns attention weights.
    """
    N, T, V = probe["N T V"]
    model = probe.fill(Translator(V, looks), scale=3.0)
    source = ended(probe.integers(2, V, N, T), lengths(probe, T))
    return model, source, source != PAD_token


def without_tail(words: torch.Tensor) -> torch.Tensor:
    """Return the words (N, S) without the last columns that are PAD in every row: extra steps are not a mistake."""
    if words.ndim != 2:
        return words
    used = (words != PAD_token).any(dim=0).nonzero()
    return words[:, : int(used.max()) + 1 if len(used) else 0]


def words_and_weights(probe: Probe, result: Any) -> tuple[torch.Tensor, Any]:
    """Return a translation as plain values: its words as one tensor, and its weights, "None" where there are none.

    Raises: ResultError where the words are neither a tensor nor numbers that make one.
    """
    words, looks = probe.several(result, 2)
    try:
        return torch.as_tensor(probe.value(words)), or_nothing(probe, looks)
    except (TypeError, ValueError):
        raise ResultError("a 'list' object, expected a tensor") from None


@greedy_decode.test("the most likely words up to and including EOS, then PAD")
def written(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = translator_and_sentences(probe, Translator)
    return without_tail(words_and_weights(probe, greedy_decode(model, source, mask, 13))[0])


@greedy_decode.test("at most max_length steps")
def at_most(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = translator_and_sentences(probe, Translator)
    return without_tail(words_and_weights(probe, greedy_decode(model, source, mask, max_length=3))[0])


@greedy_decode.test("the most likely words of a model that was left in training mode")
def in_evaluation_mode(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = translator_and_sentences(probe, Translator)
    model.train()
    return without_tail(words_and_weights(probe, greedy_decode(model, source, mask, 13))[0])


@greedy_decode.test("the weights of every step, with the step as axis 1")
def weights(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = translator_and_sentences(probe, Translator)
    words, looks = words_and_weights(probe, greedy_decode(model, source, mask, 13))
    words = without_tail(words)
    if not isinstance(looks, torch.Tensor) or looks.ndim != 3 or words.ndim != 2:
        return looks
    looks = looks[:, : words.shape[1]]
    if looks.shape[:2] != words.shape:
        return looks
    return looks * (words != PAD_token).unsqueeze(2)  # the weights after EOS are not judged


@greedy_decode.test("a model that gives no weights: the most likely words, and None for the weights")
def no_weights(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = translator_and_sentences(probe, Translator, looks=False)
    words, looks = words_and_weights(probe, greedy_decode(model, source, mask, 13))
    return {N_("the words"): without_tail(words), N_("the weights"): looks}


@greedy_decode.test("the most likely words, and no further step once every sentence has written EOS")
def stops(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    model, source, mask = translator_and_sentences(probe, Translator)
    words = words_and_weights(probe, greedy_decode(model, source, mask, 13))[0]
    return {N_("steps made"): words.shape[1], N_("the words"): without_tail(words)} if words.ndim == 2 else words


@greedy_decode.test(ON_GPU)
def written_on_gpu(probe: Probe, greedy_decode: Any, Translator: Any) -> Any:
    with probe.gpu():
        model, source, mask = map(probe.there, translator_and_sentences(probe, Translator))
        words = words_and_weights(probe, greedy_decode(model, source, mask, 2))[0]  # enough to find a tensor on the CPU
    return without_tail(words)
