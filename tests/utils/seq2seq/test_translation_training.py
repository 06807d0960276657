"""Decoding and training in batches: beam search against plain Python, BLEU by length, the order of translations."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from tests.helpers.plain_beam import plain_beam
from utils.common.curves import Losses
from utils.seq2seq import training
from utils.seq2seq.pairs import PaddedPairs, pad_sentences
from utils.seq2seq.scores import bleu, bleu_by_length, right_by_length
from utils.seq2seq.training import batches, beam_decode, train, translate
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token, SOS_token

V, T = 5, 7


class Table(nn.Module):
    """The next word depends on the sentence, the place and the word before; it looks at the place and the sentence."""

    def __init__(self, seed: int, sentences: int, length: int, looks: bool = True):
        super().__init__()
        table = 2 * np.random.RandomState(seed).standard_normal((sentences, length, V, V))
        self.table, self.looks = torch.from_numpy(table), looks

    def start(self, source, mask):
        return torch.stack([source[:, 0] - 2, torch.zeros(len(source), dtype=torch.long)], 1), None

    def step(self, word, hidden, memory):
        sentence, place = hidden.T
        looks = torch.zeros(len(word), T)
        looks[:, 0], looks[:, 1], looks[:, 2] = sentence, place, word
        logits = self.table[sentence, place, word.clamp(max=V - 1)]
        return logits, hidden + torch.tensor([0, 1]), looks if self.looks else None

    def log_p(self, sentence: int):
        scores = self.table.log_softmax(-1)
        return lambda words: scores[sentence, len(words), words[-1] if words else SOS_token].tolist()


def sources(number: int) -> torch.Tensor:
    return torch.arange(2, 2 + number).unsqueeze(1).repeat(1, T)


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**6), width=st.integers(1, V), length=st.integers(1, 6))
def test_beam_keeps_the_best_by_the_mean_at_every_width_and_length(seed, width, length):
    model = Table(seed, 3, length)
    words, looks = beam_decode(model, sources(3), sources(3) > 0, max_length=length, width=width)
    assert looks.shape == (*words.shape, T)
    for sentence in range(3):
        expected, _ = plain_beam(model.log_p(sentence), width, length, EOS_token)
        n = len(expected)
        assert words[sentence].tolist() == [*expected, *[PAD_token] * (words.shape[1] - n)]
        assert looks[sentence, :n, 0].tolist() == [sentence] * n
        assert looks[sentence, :n, 1].tolist() == list(range(n))
        assert looks[sentence, :n, 2].tolist() == [SOS_token, *expected[:-1]]


def test_a_beam_without_looks_finds_the_same_words():
    expected, _ = beam_decode(Table(0, 3, 6), sources(3), sources(3) > 0, max_length=6, width=3)
    words, looks = beam_decode(Table(0, 3, 6, looks=False), sources(3), sources(3) > 0, max_length=6, width=3)
    assert torch.equal(words, expected) and looks is None


def test_a_longer_sentence_with_the_better_mean_wins_against_a_shorter_one_with_the_better_sum():
    model = Table(0, 1, 2)
    probabilities = torch.full((2, V, V), 1e-6, dtype=torch.float64)
    probabilities[0, SOS_token, EOS_token], probabilities[0, SOS_token, 3] = 0.45, 0.55
    probabilities[1, 3, 4], probabilities[1, 3, 3] = 0.7, 0.3
    model.table = probabilities.log()[None]
    words, _ = beam_decode(model, sources(1), sources(1) > 0, max_length=2, width=2)
    assert words.tolist() == [[3, 4]]
    assert math.log(0.45) > math.log(0.55 * 0.7)


def test_a_beginning_with_the_better_mean_is_kept_rather_than_an_end_with_the_better_sum():
    """After two words: 3 3 at 0.294, two words, is kept before the end at 0.4, one word; and it goes on best."""
    model = Table(0, 1, 3)
    probabilities = torch.full((3, V, V), 1e-6, dtype=torch.float64)
    probabilities[0, SOS_token, EOS_token], probabilities[0, SOS_token, 3] = 0.4, 0.6
    probabilities[1, 3, 4], probabilities[1, 3, 3] = 0.51, 0.49
    probabilities[2, 3, 4] = 1
    model.table = probabilities.log()[None]
    assert plain_beam(model.log_p(0), 2, 3, EOS_token)[0] == (3, 3, 4)
    words, _ = beam_decode(model, sources(1), sources(1) > 0, max_length=3, width=2)
    assert words.tolist() == [[3, 3, 4]]


def test_beam_search_ends_with_the_last_sentence_and_switches_to_eval():
    model = Table(0, 2, 6).train()
    model.table[:] = 0
    model.table[..., 3] = 1
    model.table[0, 1, :, EOS_token] = model.table[1, 2, :, EOS_token] = 9
    words, _ = beam_decode(model, sources(2), sources(2) > 0, width=1)
    assert words.tolist() == [[3, EOS_token, PAD_token], [3, 3, EOS_token]]
    assert not model.training
    assert beam_decode.__wrapped__.__defaults__ == (40, 4)


# ---- batches and training -----------------------------------------------------------------------------------


def pairs(number: int, seed: int = 0) -> PaddedPairs:
    """Sentences of 1 to 6 and 1 to 4 words; the first word is the pair's number."""
    rng = np.random.RandomState(seed)
    masks = [torch.arange(n) < torch.from_numpy(rng.randint(1, n + 1, (number, 1))) for n in (6, 4)]
    first = torch.arange(number).unsqueeze(1) + 3
    source, target = (first.expand(number, mask.shape[1]).masked_fill(~mask, PAD_token) for mask in masks)
    return PaddedPairs(source, masks[0], target, masks[1])


def test_a_batch_holds_pairs_of_like_length_cut_to_the_longest():
    data = pairs(103)
    found = list(batches(data, 7, torch.Generator().manual_seed(0)))
    assert sorted(len(batch.source) for batch in found) == [5, *[7] * 14]
    for batch in found:
        rows = batch.source[:, 0] - 3
        assert torch.equal(rows, batch.target[:, 0] - 3)
        for part, mask, whole in (
            (batch.source, batch.source_mask, data.source),
            (batch.target, batch.target_mask, data.target),
        ):
            assert part.shape == mask.shape and mask.any(dim=0).all()
            assert torch.equal(part, whole[rows, : part.shape[1]])
            assert torch.equal(mask, part != PAD_token)
        lengths = [(int(s.sum()), int(t.sum())) for s, t in zip(batch.source_mask, batch.target_mask, strict=True)]
        assert lengths == sorted(lengths)
    spans = [tuple(batch.source_mask.sum(1).tolist()) for batch in found]
    ordered = sorted(spans)
    assert all(max(one) <= min(other) for one, other in itertools.pairwise(ordered))
    assert spans != ordered  # the batches themselves come in random order


def test_batches_are_drawn_by_the_generator_and_sorted_within_chunks(monkeypatch):
    def firsts(seed):
        return [batch.source[:, 0].tolist() for batch in batches(pairs(61), 5, torch.Generator().manual_seed(seed))]

    assert firsts(1) == firsts(1) != firsts(2)
    monkeypatch.setattr(training, "SORTED_TOGETHER", 2)
    assert sum(len(rows) for rows in firsts(1)) == 61
    assert sorted(len(rows) for rows in firsts(1)) == [1, *[5] * 12]


class Flat(nn.Module):
    """One number for each word, whatever was read."""

    def __init__(self):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(300))


def rehearse(number: int = 61, **options) -> tuple[Losses, list[float], list]:
    """Train and return the history, the rate of every step and what `decode` was called with."""
    rates, calls, model = [], [], Flat()

    def decode(model, source, source_mask, target, teacher_forcing):
        calls.append((source.shape, source_mask.dtype, target.shape, teacher_forcing))
        return model.logits.expand(*target.shape, -1)

    def loss(logits, target):
        return nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD_token)

    def step(model, optimizer, compute_loss):
        rates.append(optimizer.param_groups[0]["lr"])
        assert isinstance(optimizer, torch.optim.Adam)
        optimizer.zero_grad()
        value = compute_loss()
        value.backward()
        optimizer.step()
        return value.item()

    history = train(model, pairs(number), decode=decode, loss=loss, step=step, **options)
    return history, rates, calls


def test_the_rate_rises_over_a_tenth_of_the_steps_and_falls_along_a_cosine():
    history, rates, calls = rehearse(epochs=10, batch_size=5, learning_rate=0.5, teacher_forcing=0.25)
    assert len(history.training) == 10 and len(rates) == 130
    top = rates.index(max(rates))
    assert rates[0] == pytest.approx(0.5 / 25) and max(rates) == pytest.approx(0.5, rel=1e-3)
    assert top == pytest.approx(0.1 * 150, abs=1.5)  # of 130 steps and 20 that short batches may add
    assert rates[: top + 1] == sorted(rates[: top + 1]) and rates[top:] == sorted(rates[top:], reverse=True)
    assert {call[3] for call in calls} == {0.25}


def test_eight_epochs_in_batches_of_96_with_the_teacher_are_the_recipe():
    history, rates, calls = rehearse(number=200)
    assert (len(history.training), len(rates)) == (8, 8 * 3)
    assert max(rates) == pytest.approx(6e-3, rel=1e-2)
    assert {call[3] for call in calls} == {1.0} and max(call[0][0] for call in calls) == 96


def test_the_history_is_the_mean_loss_of_each_epoch_and_repeats_itself():
    history, rates, _ = rehearse(epochs=3, batch_size=7)
    again, *_ = rehearse(epochs=3, batch_size=7)
    assert history == again != rehearse(epochs=3, batch_size=7, seed=1)[0]
    assert history.training[0] > history.training[1] > history.training[2]
    values = iter(range(1000))
    history = train(
        Flat(),
        pairs(61),
        decode=lambda *args: None,
        loss=lambda *args: None,
        step=lambda model, optimizer, compute_loss: optimizer.step() or next(values),
        epochs=2,
        batch_size=10,
    )
    assert history == Losses([sum(range(7)) / 7, sum(range(7, 14)) / 7], [])
    assert len(rates) == 3 * 9


def test_the_loss_on_unseen_pairs_is_that_after_each_epoch_and_changes_nothing():
    unseen = pairs(601)
    history, *_ = rehearse(epochs=2, unseen=pairs(101))
    assert history.training == rehearse(epochs=2)[0].training
    assert [epoch for epoch, _ in history.unseen] == [1, 2]
    shown = []

    def decode(model, source, source_mask, target, teacher_forcing):
        shown.append((model.training, torch.is_grad_enabled(), target, teacher_forcing))
        return torch.zeros(*target.shape, 300)

    def step(model, optimizer, compute_loss):
        model.train()
        optimizer.step()
        return 0.0

    options = {"decode": decode, "loss": lambda logits, target: len(target), "step": step, "teacher_forcing": 0.5}
    assert train(Flat(), pairs(7), unseen=unseen, epochs=2, **options).unseen == [(1, 300.0), (2, 300.0)]
    for training_mode, gradients, target, teacher_forcing in shown:
        assert (training_mode, gradients, teacher_forcing) == (False, False, 1.0)
        assert torch.equal(target[[0, -1]], unseen.target[[0, -1]])  # spread from the first to the last
    assert len(shown) == 2


def test_training_leaves_the_number_of_threads_as_it_was():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        inside = []

        def step(model, optimizer, compute_loss):
            optimizer.step()
            inside.append(torch.get_num_threads())
            return 0.0

        train(Flat(), pairs(7), decode=None, loss=None, step=step, epochs=1)
        assert set(inside) == {1} and torch.get_num_threads() == 2
        with pytest.raises(ZeroDivisionError):
            train(Flat(), pairs(7), decode=None, loss=None, step=lambda *args: 1 / 0, epochs=1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


# ---- translating and scoring --------------------------------------------------------------------------------


@pytest.mark.parametrize("together", [1, 2, 256])
def test_translations_come_in_the_order_of_the_sentences(monkeypatch, together):
    monkeypatch.setattr(training, "TRANSLATED_TOGETHER", together)
    sentences = ["a b c .", "b", "c a b a c .", "c c"]
    lang = Lang("x")
    for sentence in sentences:
        lang.addSentence(sentence)
    calls = []

    def decode(model, source, mask, max_length):  # writes what it reads
        calls.append((len(source), max_length))
        assert torch.equal(source, pad_sentences(lang, sentences_of(source)))
        assert torch.equal(mask, source != PAD_token)
        return source, None

    def sentences_of(source):
        return [
            " ".join(lang.index2word[int(i)] for i in row if int(i) not in (PAD_token, EOS_token)) for row in source
        ]

    assert translate(nn.Linear(1, 1), sentences, lang, lang, decode, max_length=9) == sentences
    assert [number for number, _ in calls] == {1: [1] * 4, 2: [2, 2], 256: [4]}[together]
    assert {length for _, length in calls} == {9}


def test_what_is_right_word_for_word_is_counted_by_the_length_of_the_source():
    sources = ["je mange .", "a b c .", "a b c d e f g .", "a b c d e f g h .", " ".join("a" * 15)]
    right = ["i eat .", "x .", "y .", "z .", "w ."]
    said = ["i eat .", "x .", "not y .", "z .", "w"]
    shares = right_by_length(sources, said, right)
    assert shares == [("4 to 8 words", 2, 0.5), ("9 to 14 words", 1, 1.0), ("15 words and more", 1, 0.0)]
    assert right_by_length(sources[:2], said[:2], right[:2]) == [("4 to 8 words", 1, 1.0)]


def test_bleu_by_length_counts_words_of_the_source_between_the_edges():
    sources = ["a b c", "a b c d", "a b c d e", "a b c d e f", "a b c d e f g"]
    right = ["one two three four five", "six seven eight nine", "one two four three .", "one two six .", "x y z ."]
    said = ["none", "six seven eight nine", "one two three four .", "one two six .", "not this"]
    found = bleu_by_length(sources, said, right, edges=(4, 6, 7, 9, 30))
    assert found == [
        (4.5, pytest.approx(bleu(said[1:3], right[1:3]))),
        (6.0, pytest.approx(100)),
        (7.0, pytest.approx(bleu(said[4:], right[4:]))),
    ]
    assert 0 < bleu(said[1:3], right[1:3]) < 100
    (point,) = bleu_by_length(sources, said, right, edges=(3, 6))
    assert point[0] == 4


def test_bleu_separates_words_by_spaces_alone():
    assert bleu(["a b. c, d"], ["a b. c, d"]) == pytest.approx(100)
    assert bleu(["a b . c , d e f"], ["a b. c, d e f"]) < 60
