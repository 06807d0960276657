"""The translator's given parts against torch, numpy and brute force; the classic style against the known names."""

import itertools
import math
import random

import matplotlib
import pytest
import sacrebleu
import torch
from torch import nn
from torch.nn import functional as F

from autograder.common.course import WORKBOOK
from utils.attention_utils import (
    EOS_token,
    Lang,
    PAD_token,
    SOS_token,
    pad_pairs,
)
from utils.common.errors import ShapeError, WorkbookError
from utils.seq2seq import model as seq2seq
from utils.seq2seq import scores
from utils.seq2seq import training as seq2seq_training
from utils.seq2seq.stand_ins import StandInAttention, StandInTranslator

N, T, S, V, E, G, D = 3, 7, 5, 13, 11, 17, 10


@pytest.fixture(scope="module")
def lesson():
    """The names of the completed lesson."""
    pytest.importorskip("autograder", reason="the instructors' part is not installed")
    from autograder.exams import reference
    from autograder.lesson.text import Lesson

    return reference.reference_names(Lesson.load("seq2seq", WORKBOOK))


@pytest.fixture
def batch():
    generator = torch.Generator().manual_seed(1)
    lengths = torch.tensor([T, 2, 4])
    mask = torch.arange(T) < lengths.unsqueeze(1)
    source = torch.randint(2, V, (N, T), generator=generator).masked_fill(~mask, PAD_token)
    return source, mask, lengths


def test_embedding_of_padding_is_zero():
    torch.manual_seed(0)
    embedding = seq2seq.WordEmbedding(V, E)
    words = torch.tensor([[3, PAD_token], [SOS_token, 4]])
    result = embedding(words)
    assert torch.equal(result[0, 1], torch.zeros(E))
    assert torch.equal(result[0, 0], embedding.weight[3])
    assert torch.equal(result[1], embedding.weight[[0, 4]])
    result.sum().backward()
    assert embedding.weight.grad.sum(dim=1).tolist() == [E if i in (0, 3, 4) else 0 for i in range(V)]


def test_encoder_reads_each_sentence_as_if_alone(batch):
    source, mask, lengths = batch
    torch.manual_seed(0)
    encoder = seq2seq.Encoder(V, E, D).eval()
    states = encoder(source, mask)
    assert states.shape == (N, T, D)
    for row, n in enumerate(lengths):
        alone, _ = encoder.gru(F.embedding(source[row : row + 1, :n], encoder.embedding.weight))
        torch.testing.assert_close(states[row, :n], alone[0])
        assert (states[row, n:] == 0).all()
    longer = encoder(F.pad(source, (0, 3), value=PAD_token), F.pad(mask, (0, 3), value=False))
    torch.testing.assert_close(longer[:, :T], states)


def test_encoder_wants_an_even_width():
    with pytest.raises(ShapeError, match="even"):
        seq2seq.Encoder(V, E, 9)


def test_plain_decoder_is_the_formula():
    torch.manual_seed(0)
    decoder = seq2seq.PlainDecoder(V, E, G, D).eval()
    word, hidden, summary = torch.tensor([2, 5, PAD_token]), torch.randn(N, G), torch.randn(N, D)
    logits, new, weights = decoder.step(word, hidden, decoder.memory(None, None, summary))
    e = torch.stack([decoder.embedding.weight[2], decoder.embedding.weight[5], torch.zeros(E)])
    state = decoder.cell(torch.cat([e, summary], 1), hidden)
    first, second = decoder.output
    expected = (torch.cat([state, summary, e], 1) @ first.weight.T + first.bias) @ second.weight.T + second.bias
    torch.testing.assert_close(logits, expected)
    torch.testing.assert_close(new, state)
    assert weights is None


def test_scaffolds_say_where_to_write():
    attention = seq2seq.AdditiveAttention(G, D, 5)
    decoder = seq2seq.AttentionDecoder(V, E, G, D, attention)
    with pytest.raises(NotImplementedError, match="score"):
        attention.score(None, None)
    with pytest.raises(NotImplementedError, match="attend"):
        attention(None, None, None, None)
    with pytest.raises(NotImplementedError, match="step"):
        decoder.step(None, None, None)


def model_of(lesson, seed=0, n_source=V, n_target=V, dropout=0.0, width=8):
    torch.manual_seed(seed)
    attention = lesson["AdditiveAttention"](width, width, 6)
    decoder = lesson["AttentionDecoder"](n_target, 9, width, width, attention, dropout)
    return seq2seq.Translator(seq2seq.Encoder(n_source, 9, width, dropout), decoder, lesson["summarise"])


def test_translation_does_not_depend_on_padding_or_neighbours(lesson, batch):
    source, mask, lengths = batch
    model = model_of(lesson).eval()
    words, weights = lesson["greedy_decode"](model, source, mask, 6)
    for row, n in enumerate(lengths):
        alone, looks = lesson["greedy_decode"](model, source[row : row + 1, :n], mask[row : row + 1, :n], 6)
        written = int((alone[0] != PAD_token).sum())
        assert torch.equal(words[row, :written], alone[0, :written])
        torch.testing.assert_close(weights[row, :written, :n], looks[0, :written])
        assert (weights[row, :written, n:] == 0).all()


def test_both_scores_are_torch_s_bahdanau_form(lesson):
    """Against numpy: v · tanh(W [s; h]) with W = [W_s | W_h], float64."""
    torch.manual_seed(0)
    attention = lesson["AdditiveAttention"](G, D, 5).double()
    query, states = torch.randn(N, G).double(), torch.randn(N, T, D).double()
    parameters = (attention.query_layer.weight, attention.key_layer.weight, attention.v)
    W_s, W_h, v = (p.detach().numpy() for p in parameters)
    expected = torch.tensor(
        [
            [float(v @ _tanh(W_s @ q.numpy() + W_h @ h.numpy())) for h in row]
            for q, row in zip(query, states, strict=True)
        ]
    ).double()
    torch.testing.assert_close(attention.score(query, attention.keys(states)).detach(), expected)
    W = torch.cat([attention.query_layer.weight, attention.key_layer.weight], dim=1)
    torch.testing.assert_close(lesson["concat_score"](query, states, W, attention.v).detach(), expected)


def _tanh(x):
    return [math.tanh(float(a)) for a in x]


def test_batches_hold_every_pair_once():
    source = torch.arange(2, 2 + 101).unsqueeze(1).repeat(1, 6)
    lengths = torch.arange(101) % 5 + 1
    mask = torch.arange(6) < lengths.unsqueeze(1)
    data = seq2seq_training.PaddedPairs(source.masked_fill(~mask, PAD_token), mask, source[:, :2], mask[:, :2])
    found = list(seq2seq_training.batches(data, 7, torch.Generator().manual_seed(0)))
    assert sorted(int(x) for b in found for x in b.source[:, 0]) == list(range(2, 103))
    assert all(b.source_mask.any(dim=0).all() for b in found)  # no column of padding alone
    assert sum(b.source_mask.numel() for b in found) < 1.5 * int(mask.sum())


@pytest.mark.parametrize("width", [1, 2, 4])
def test_beam_finds_what_brute_force_finds(width):
    """With beams as wide as there are beginnings, the best mean log-probability of all sentences up to 3 words."""
    torch.manual_seed(3)
    model = Markov(4)
    source = torch.tensor([[2, 1], [3, 1]])
    words, weights = seq2seq_training.beam_decode(model, source, source > 0, max_length=3, width=width)
    assert weights is None
    log_p = model.table.log_softmax(dim=1)

    def mean(sentence):
        path = (SOS_token, *sentence)
        return float(sum(log_p[a, b] for a, b in itertools.pairwise(path)) / len(sentence))

    sentences = [
        s
        for n in (1, 2, 3)
        for s in itertools.product(range(4), repeat=n)
        if EOS_token not in s[:-1] and (n == 3 or s[-1] == EOS_token)
    ]
    found = tuple(w for w in words[0].tolist() if w != PAD_token)
    assert torch.equal(words[0], words[1])
    assert found in sentences
    if width == 4:
        assert mean(found) == pytest.approx(max(map(mean, sentences)))
    if width == 1:
        greedy, at = [], SOS_token
        while len(greedy) < 3 and at != EOS_token:
            at = int(log_p[at].argmax())
            greedy.append(at)
        assert found == tuple(greedy)


class Markov(nn.Module):
    """The next word depends on the word before alone."""

    def __init__(self, n_words):
        super().__init__()
        self.table = torch.randn(n_words, n_words) * 0.7

    def start(self, source, mask):
        return torch.zeros(len(source), 1), None

    def step(self, word, hidden, memory):
        return self.table[word], hidden, None


def test_beam_returns_the_weights_of_the_winning_beam(lesson, batch):
    source, mask, _ = batch
    model = model_of(lesson, seed=4)
    words, weights = seq2seq_training.beam_decode(model, source, mask, max_length=6, width=3)
    hidden, memory = model.start(source, mask)
    word = torch.full((N,), SOS_token)
    for i in range(words.shape[1]):  # the winner's words, fed again, give the same weights
        _, hidden, now = model.step(word, hidden, memory)
        alive = words[:, i] != PAD_token
        torch.testing.assert_close(weights[alive, i], now[alive])
        word = words[:, i]


def test_bleu_is_sacrebleu_s():
    hypotheses, references = ["i m very tired .", "he s late ."], ["i m so tired .", "he s late ."]
    expected = sacrebleu.BLEU(tokenize="none").corpus_score(hypotheses, [references]).score
    assert scores.bleu(hypotheses, references) == pytest.approx(expected)
    curve = scores.bleu_by_length(["a b c d", "a b c d e f g"], references, references)
    assert curve == [(4.0, pytest.approx(100)), (7.0, pytest.approx(100))]


def test_overfits_and_translates(lesson):
    """Eight pairs, learned by heart in a second, come out word for word, by greedy decoding and by beam."""
    text = """
        je suis fatigue .|i m tired .
        tu es fatigue .|you re tired .
        il a faim .|he s hungry .
        elle a faim .|she s hungry .
        il est tres grand .|he s very tall .
        je dors .|i m sleeping .
        elle porte une robe rouge .|she s wearing a red dress .
        ils ne dorment pas .|they aren t sleeping .
    """
    pairs = [line.strip().split("|") for line in text.strip().splitlines()]
    french, english = Lang("fra"), Lang("eng")
    for source, target in pairs:
        french.addSentence(source)
        english.addSentence(target)
    random.seed(0)
    model = model_of(lesson, 0, french.n_words, english.n_words, width=32)
    functions = {
        "decode": lesson["decode_with_teacher"],
        "loss": lesson["sentence_loss"],
        "step": lesson["training_step"],
    }
    threads = torch.get_num_threads()
    padded = pad_pairs(pairs, french, english)
    unseen = pad_pairs(pairs[:3], french, english)
    history = seq2seq_training.train(
        model, padded, unseen=unseen, epochs=60, batch_size=4, learning_rate=2e-2, **functions
    )
    assert torch.get_num_threads() == threads
    assert history.training[-1] < 0.1 < history.training[0]
    assert [epoch for epoch, _ in history.unseen] == list(range(1, 61))
    with torch.no_grad():
        logits = lesson["decode_with_teacher"](model.eval(), unseen.source, unseen.source_mask, unseen.target, 1.0)
    assert history.unseen[-1][1] == pytest.approx(lesson["sentence_loss"](logits, unseen.target).item(), rel=1e-5)
    sources, references = zip(*pairs, strict=True)
    for decode in (lesson["greedy_decode"], seq2seq_training.beam_decode):
        assert seq2seq_training.translate(model, sources, french, english, decode) == list(references)


def test_stand_ins_need_all_they_are_given():
    torch.manual_seed(0)
    attention = StandInAttention()
    query, states, mask = torch.randn(N, G), torch.randn(N, T, D), torch.ones(N, T, dtype=torch.bool)
    context, weights = attention(query, states, attention.keys(states), mask)
    assert (context.shape, weights.shape) == ((N, D), (N, T))
    assert not torch.allclose(context, attention(query + 1, states, attention.keys(states), mask)[0])
    assert not torch.allclose(context, attention(query, states, states, mask)[0])
    model = StandInTranslator(V)
    hidden, memory = model.start(torch.randint(2, V, (N, T)), mask)
    assert model.step(torch.tensor([0, 1, PAD_token]), hidden, memory)[0].shape == (N, V)


def test_alignment_map_has_the_words_on_its_axes(lesson):
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from utils.seq2seq.plots import alignment_map

    figure, ax = plt.subplots()
    weights = torch.eye(5)[:3]
    image = alignment_map(ax, weights, ["je", "ne", "dors", "pas", "."], ["i", "m", "sleeping"])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["je", "ne", "dors", "pas", "."]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["i", "m", "sleeping"]
    assert torch.equal(torch.tensor(image.get_array().data), weights)
    assert "read" in ax.get_xlabel()
    plt.close(figure)


def test_no_map_is_drawn_of_a_translator_without_attention():
    from utils.seq2seq.plots import alignment_maps

    french, english = Lang("fra"), Lang("eng")
    for lang in (french, english):
        lang.addSentence("a b")
    with pytest.raises(WorkbookError, match="train one with attention"):
        alignment_maps(None, ["a b"], french, english, lambda *arguments: (torch.tensor([[2, EOS_token]]), None))


# ---- the lesson's controls ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["attention", "uniform", "dot product"])
def test_a_control_replaces_the_score_alone(kind):
    benchmark = pytest.importorskip("benchmarks.seq2seq", reason="the instructors' part is not installed")
    torch.manual_seed(0)
    attention = benchmark.attention_class(kind)(G, D, E)
    query, states, mask = torch.randn(N, G), torch.randn(N, T, D), torch.arange(T) < torch.tensor([[T], [2], [4]])
    context, weights = attention(query, states, attention.keys(states), mask)
    at, of = query @ attention.query_layer.weight.T, states @ attention.key_layer.weight.T
    expected = {
        "attention": torch.stack([torch.tanh(at + of[:, t]) @ attention.v for t in range(T)], dim=1),
        "uniform": torch.zeros(N, T),
        "dot product": torch.stack([(at * of[:, t]).sum(1) for t in range(T)], dim=1) / math.sqrt(E),
    }[kind]
    torch.testing.assert_close(weights, expected.masked_fill(~mask, -math.inf).softmax(1))
    torch.testing.assert_close(context, torch.stack([weights[n] @ states[n] for n in range(N)]))
