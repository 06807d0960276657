"""The explorer of `seq2seq` computes what PyTorch computes, and reads what is typed as the lesson does."""

import copy

import numpy as np
import pytest
import torch
from torch import nn

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from tests.helpers import drawn
from tests.helpers.alive import SENTENCES, greedy, in_node, translator
from utils.alive.weights import CannotExport
from utils.common.errors import WorkbookError
from utils.seq2seq import explorer, exporting
from utils.seq2seq.normalise import normalizeString
from utils.seq2seq.training import beam_decode
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token, SOS_token

WRITE = """(() => { const model = it.load(given.model);
    return given.sources.map((source) => {
        const {words, steps} = it.greedy(model, source, given.options);
        return {words, logits: steps.map((one) => one.logits), looks: steps.map((one) => one.looks)};
    });
})()"""


def halved(model):
    """The model with its weights as the message carries them."""
    return copy.deepcopy(model).half().float().eval()


def exported(model, french, english):
    return exporting.exported(model, SENTENCES, french, english, greedy, 5)


@torch.no_grad()
def forced(model, source, words):
    """The logits and the weights of a model at each step, when it is fed these words."""
    row = torch.tensor([source])
    hidden, memory = model.start(row, torch.ones_like(row, dtype=torch.bool))
    logits, looks = [], []
    for word in (SOS_token, *words[:-1]):
        one, hidden, weights = model.step(torch.tensor([word]), hidden, memory)
        logits.append(one[0])
        looks.append(weights[0])
    return torch.stack(logits), torch.stack(looks)


def test_the_page_computes_what_torch_computes_on_a_hundred_inputs():
    model, french, english = translator()
    rounded = halved(model)
    rng = np.random.default_rng(0)
    sources = [[*rng.integers(2, french.n_words, rng.integers(1, 9)).tolist(), EOS_token] for _ in range(100)]
    given = {"model": exported(model, french, english)["model"] | {"longest": 12}, "sources": sources, "options": {}}
    for source, found in zip(sources, in_node("seq2seq/page/translator.js", WRITE, given), strict=True):
        logits, looks = forced(rounded, source, found["words"])
        assert (torch.tensor(found["logits"]) - logits).abs().max() < 1e-5
        assert (torch.tensor(found["looks"]) - looks).abs().max() < 1e-5
        assert found["words"] == logits.argmax(1).tolist()
        assert (torch.tensor(found["logits"]) - forced(model, source, found["words"])[0]).abs().max() < 5e-3


def test_switches_compute_what_the_mistakes_compute():
    model, french, english = translator()
    sources = [[french.word2index[word] for word in SENTENCES[0].split(" ")] + [EOS_token]]
    given = {"model": exported(model, french, english)["model"] | {"longest": 6}, "sources": sources}
    right = halved(model)
    wrong = {name: halved(model) for name in explorer.WORDS if name.startswith("mistake_")}
    attention = {name: one.decoder.attention for name, one in wrong.items()}
    size = len(sources[0])
    attention["mistake_attend_plain_mean"].weights = lambda scores: torch.full_like(scores, 1 / size)
    attention["mistake_attend_last_word"].weights = lambda scores: torch.eye(size)[-1:]
    attention["mistake_attend_hard"].weights = lambda scores: nn.functional.one_hot(scores.argmax(1), size).float()
    attention["mistake_additive_no_tanh"].bend = lambda x: x
    cell = wrong["mistake_decoder_state_forgotten"].decoder.cell
    forward = cell.forward
    cell.forward = lambda x, hidden: forward(x, torch.zeros_like(hidden))
    embedding = wrong["mistake_greedy_same_word_fed"].decoder.embedding
    look_up = embedding.forward
    embedding.forward = lambda word: look_up(torch.full_like(word, SOS_token))
    for name, one in wrong.items():
        options = {"mistake": name.removeprefix("mistake_")}
        (found,) = in_node("seq2seq/page/translator.js", WRITE, given | {"options": options})
        logits, _ = forced(one, sources[0], found["words"])
        assert (torch.tensor(found["logits"]) - logits).abs().max() < 1e-4, name
        assert (logits - forced(right, sources[0], found["words"])[0]).abs().max() > 0.01, name


def test_every_switch_is_a_mistake_of_the_catalogue():
    switches = [key.removeprefix("mistake_") for key in explorer.WORDS if key.startswith("mistake_")]
    assert 4 <= len(switches) <= 6 and set(switches) <= set(mistakes.load(Lesson.load("seq2seq", WORKBOOK)))


def test_a_beam_a_forced_word_and_a_temperature():
    model, french, english = translator()
    rounded = halved(model)
    source = [french.word2index[word] for word in SENTENCES[0].split(" ")] + [EOS_token]
    spec = exported(model, french, english)["model"] | {"longest": 9}
    expression = """(() => { const model = it.load(given.model);
        const words = (options) => it.greedy(model, given.source, options).words;
        return {beam: it.beam(model, given.source), forced: words({forced: [undefined, 4]}), free: words({}),
            flat: it.greedy(model, given.source, {temperature: 1e6}).steps[0].looks}; })()"""
    found = in_node("seq2seq/page/translator.js", expression, {"model": spec, "source": source})
    row = torch.tensor([source])
    expected = beam_decode(rounded, row, torch.ones_like(row, dtype=torch.bool), 9)[0][0]
    assert found["beam"]["words"] == [int(word) for word in expected if word != PAD_token]
    assert found["forced"][:2] == [found["free"][0], 4]
    assert found["flat"] == pytest.approx([1 / len(source)] * len(source), abs=1e-4)


def test_typed_words_are_read_as_the_lesson_reads_them():
    texts = ["Elle porte une robe rouge.", "  Où  est-ce que tu habites ?", "J'ai déjà mangé!", "ils VONT\tréparer"]
    found = in_node("seq2seq/page/words.js", "given.map(it.normal)", texts)
    assert [one.split() for one in found] == [normalizeString(one).split() for one in texts]
    given = ["roube", "rouge", "chat", "robe", "roubesque"]
    assert in_node("seq2seq/page/words.js", "it.near(given[0], given.slice(1), 2)", given) == ["roubesque", "robe"]
    completed = (
        'given.map((part) => it.completions(part, new Map([["robe", 2], ["rouge", 3], ["chat", 4], ["ro", 5]]), 2))'
    )
    assert in_node("seq2seq/page/words.js", completed, ["ro", "chat", "", "l a"]) == [["robe", "rouge"], [], [], []]


def test_what_the_page_cannot_compute_is_refused():
    model, french, english = translator()
    model.decoder.attention.v = None
    with pytest.raises(CannotExport, match="additive attention with v"):
        exported(model, french, english)
    model, french, english = translator()
    model.bridge = nn.Sequential(model.bridge)
    with pytest.raises(CannotExport, match="the part Sequential"):
        exported(model, french, english)


def test_the_picture_has_the_row_of_the_word(figures):
    import matplotlib.pyplot as plt

    french, english = Lang("fra"), Lang("eng")
    french.addSentence("je me leve tot .")
    english.addSentence("i get up early .")
    looks = torch.rand(1, 9, 6)

    def decode(model, source, mask, max_length):
        assert [french.index2word[int(i)] for i in source[0]] == ["je", "me", "leve", "tot", ".", "EOS"] and mask.all()
        said = [english.word2index[word] for word in ("i", "get", "up", ".")]
        return torch.tensor([[*said, EOS_token, *[PAD_token] * 4]]), looks

    given = (None, french, english, decode)
    for word, row in ((3, 2), (30, 4)):  # beyond the end it is the last
        figure = plt.figure()
        explorer.draw(figure, "je me leve tot .", *given, word=word)
        left, right = figure.axes
        np.testing.assert_allclose(drawn.image(left), looks[0, :5].numpy(), rtol=1e-5)
        assert [height for _, height in drawn.bars(right)] == pytest.approx(looks[0, row].tolist())
        assert left.patches[0].get_xy() == (-0.5, row - 0.5)
        assert right.get_title() == f"where “{['i', 'get', 'up', '.', 'EOS'][row]}” looks"
    with pytest.raises(WorkbookError, match="no attention weights"):
        explorer.draw(figure, "je me leve tot .", None, french, english, lambda *args: (decode(*args)[0], None))
