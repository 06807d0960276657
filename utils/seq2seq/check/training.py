"""Section 4, learning: the loss without padding, teacher forcing."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe, gradients, of_shape
from utils.common.messages import N_
from utils.seq2seq.check.inputs import ended, lengths
from utils.seq2seq.vocabulary import PAD_token

sentence_loss = Check(
    "sentence_loss",
    title="The loss without padding",
    sizes={"N": 3, "S": 5, "V": 11},
    lacks={
        "backward": N_("what you return is a plain number, through which no gradient flows: return the tensor itself")
    },
    hints=(
        "Which places of `target` are words, and how many are there in the whole batch?",
        "`F.cross_entropy` expects (places, V) and (places,), and can leave out the places with a given target.",
        "Flatten the first two axes of the logits, flatten the target, and use `ignore_index`.",
    ),
)


def scored_sentences(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits (N, S, V) and targets (N, S): words, then EOS, then padding."""
    N, S, V = probe["N S V"]
    words = probe.integers(2, V, N, S)
    return probe.normal(N, S, V) * 2, ended(words, lengths(probe, S))


@sentence_loss.test("the mean cross-entropy of the words, EOS counted, PAD not")
def mean(probe: Probe, sentence_loss: Any, identity: Any) -> Any:
    return sentence_loss(*scored_sentences(probe))


@sentence_loss.test("the same mean of the words with more padding")
def more_padding(probe: Probe, sentence_loss: Any, identity: Any) -> Any:
    N, V = probe["N V"]
    logits, target = scored_sentences(probe)
    logits = torch.cat([logits, 9 * probe.normal(N, 4, V)], dim=1)
    return sentence_loss(logits, torch.cat([target, torch.full((N, 4), PAD_token)], dim=1))


@sentence_loss.test("the mean when SOS is among the words: it is a word like any other")
def sos_counts(probe: Probe, sentence_loss: Any, identity: Any) -> Any:
    N, S, V = probe["N S V"]
    logits = 2 * probe.normal(N, S, V)
    target = ended(probe.integers(0, V, N, S), torch.tensor([S, S - 1, S - 2]))
    target[:, 0] = 0
    return sentence_loss(logits, target)


@sentence_loss.test("the right gradient reaches the logits")
def loss_gradient(probe: Probe, sentence_loss: Any, identity: Any) -> Any:
    logits, target = scored_sentences(probe)
    logits = identity(logits).requires_grad_()
    sentence_loss(logits.clone(), target).backward()  # a copy, which an answer may change in place
    return gradients(probe, logits=logits)


@sentence_loss.test(ON_GPU)
def on_gpu(probe: Probe, sentence_loss: Any, identity: Any) -> Any:
    with probe.gpu():
        return probe.located(sentence_loss(*map(probe.there, scored_sentences(probe))))


teacher_forcing = Check(
    "teacher_forcing",
    title="Teacher forcing",
    sizes={"N": 3, "T": 7, "S": 5, "V": 11},
    hints=(
        "Follow one sentence by hand: which word is the input at step 0, at step 1, at the last step?",
        "SOS is the input at step 0; afterwards the target of the step before, or the argmax of the "
        "previous logits. The state goes from each step to the next.",
        "Collect the logits in a list and `torch.stack` them with the step as axis 1.",
    ),
)


def translator_and_pairs(probe: Probe, Translator: Any) -> tuple[Any, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return a stand-in translator in eval(), and a padded batch: source (N, T), mask (N, T), target (N, S).

    Sentence 1 is short in both languages.
    """
    N, T, S, V = probe["N T S V"]
    model = probe.fill(Translator(V), scale=3.0)
    n_source, n_target = lengths(probe, T), lengths(probe, S)
    n_source[1], n_target[1] = 2, 3
    source = ended(probe.integers(2, V, N, T), n_source)
    return model, source, source != PAD_token, ended(probe.integers(2, V, N, S), n_target)


@teacher_forcing.test("ratio 1: SOS first, then always the target of the step before")
def always(probe: Probe, decode_with_teacher: Any, Translator: Any) -> Any:
    model, source, mask, target = translator_and_pairs(probe, Translator)
    together = probe.scores(decode_with_teacher(model, source, mask, target, 1.0))
    model.train()
    alone = probe.scores(decode_with_teacher(model, source[1:2], mask[1:2], target[1:2], 1.0))
    return {N_("in a batch"): together, N_("one sentence alone, in training mode"): alone}


@teacher_forcing.test("ratio 0: SOS first, then always the most likely word of the step before")
def never(probe: Probe, decode_with_teacher: Any, Translator: Any) -> Any:
    model, source, mask, target = translator_and_pairs(probe, Translator)
    together = probe.scores(decode_with_teacher(model, source, mask, target, 0.0))
    alone = probe.scores(decode_with_teacher(model, source[1:2], mask[1:2], target[1:2], 0.0))
    return {N_("in a batch"): together, N_("one sentence alone"): alone}


# What a step is fed with ratio ½. A draw may decide for one step or for all: both have the right probability.
FED = (
    N_("the target is never fed, but it must be sometimes"),
    N_("the word that the model chose is never fed, but it must be sometimes"),
)


@teacher_forcing.test("ratio ½: sometimes the one, sometimes the other")
def sometimes(probe: Probe, decode_with_teacher: Any, Translator: Any) -> Any:
    model, source, mask, target = translator_and_pairs(probe, Translator)
    target = target[:, :2]
    found = dict.fromkeys(FED, False)
    shape = *target.shape, probe["V"]
    own = probe.shaped(decode_with_teacher(model, source, mask, target, 0.0), *shape)
    # The target is never the model's own word, so that the logits show which of the two was fed.
    target[:, 0] = 2 + (own[:, 0].argmax(dim=-1) - 1) % (probe["V"] - 2)
    forced = probe.shaped(decode_with_teacher(model, source, mask, target, 1.0), *shape)
    times = 20  # the probability that all 20 draws are alike is 1 in 500,000
    for mixed in probe.values(*(decode_with_teacher(model, source, mask, target, 0.5) for _ in range(times))):
        logits = of_shape(mixed, *shape)
        agrees = [bool(((logits - other)[:, 1].abs().amax(dim=1) < 1e-3).any()) for other in (forced, own)]
        found = {name: found[name] or now for name, now in zip(FED, agrees, strict=True)}
    return found


@teacher_forcing.test("the right gradient reaches the model through every step")
def through_steps(probe: Probe, decode_with_teacher: Any, Translator: Any) -> Any:
    model, source, mask, target = translator_and_pairs(probe, Translator)
    decode_with_teacher(model, source, mask, target, 1.0).log_softmax(-1).pow(2).sum().backward()
    return probe.value(model.table.grad)


@teacher_forcing.test(ON_GPU)
def decoded_on_gpu(probe: Probe, decode_with_teacher: Any, Translator: Any) -> Any:
    model, source, mask, target = translator_and_pairs(probe, Translator)
    with probe.gpu():
        # Two steps are enough to find a tensor left on the CPU, and each step takes time.
        model, source, mask, target = map(probe.there, (model, source, mask, target[:, :2]))
        taught = probe.scores(decode_with_teacher(model, source, mask, target, 1.0))
        return {
            N_("with the teacher"): taught,
            N_("alone"): probe.scores(decode_with_teacher(model, source, mask, target, 0.0)),
        }
