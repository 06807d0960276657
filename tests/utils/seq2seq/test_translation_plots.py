"""The figures of the lesson `seq2seq` draw the numbers that they are given, the right way round."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from tests.helpers import drawn
from utils.common.curves import Losses
from utils.seq2seq import plots
from utils.seq2seq.pairs import pad_sentences
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token


def test_tables_are_drawn_with_their_words_and_numbers(figures):
    tables = {"small": torch.tensor([[0.0, 0.25, 1.0], [-0.5, 2.0, 10.4]]), "other": torch.eye(2)}
    words = {"small": (["r0", "r1"], ["c0", "c1", "c2"]), "other": (["x", "y"], ["x", "y"])}
    plots.similarity_maps(tables, words, unit="u")
    for ax, (title, table) in zip(figures[0].axes, tables.items(), strict=False):
        np.testing.assert_array_equal(drawn.image(ax), table.numpy())
        assert ax.get_title() == title
        assert drawn.ticks(ax.yaxis) == dict(enumerate(words[title][0]))
        assert drawn.ticks(ax.xaxis) == dict(enumerate(words[title][1]))
    assert [bar.get_ylabel() for bar in figures[0].axes[2:]] == ["u"]
    assert [ax.images[0].get_clim() for ax in figures[0].axes[:2]] == [pytest.approx((-10.4, 10.4))] * 2
    numbers = {text.get_position(): (text.get_text(), text.get_color()) for text in figures[0].axes[0].texts}
    assert numbers == {  # (column, row): white on the ends of the scale, which are dark
        (0, 0): ("0", "black"),
        (1, 0): ("0.25", "black"),
        (2, 0): ("1", "black"),
        (0, 1): ("−0.50", "black"),
        (1, 1): ("2", "black"),
        (2, 1): ("10", "white"),
    }


def test_equal_colours_mean_equal_numbers_and_zero_is_pale(figures):
    people, films = torch.tensor([[1.0, -0.5]]), torch.tensor([[-0.25, -0.5]])
    plots.similarity_maps({"a": people, "b": films}, {"a": (["x"], ["y", "z"]), "b": (["x"], ["y", "z"])})
    [one, other] = [ax.images[0] for ax in figures[0].axes[:2]]
    assert one.to_rgba(-0.5) == other.to_rgba(-0.5) != one.to_rgba(0.5)
    assert min(one.to_rgba(0.0)) > 0.9
    red, _, blue, _ = one.to_rgba(-1.0)
    assert red > blue


def test_one_table_alone_is_drawn_too(figures):
    plots.similarity_maps({"one": [[1.5]]}, {"one": (["a"], ["b"])})
    assert [text.get_text() for text in figures[0].axes[0].texts] == ["1.50"]


def test_bars_are_the_softmax_at_each_temperature(figures):
    scores = torch.tensor([1.0, 3.0, 2.0])
    plots.softmax_bars(scores, ["a", "b", "c"], temperatures=(0.5, 2.0))
    for ax, temperature in zip(figures[0].axes, (0.5, 2.0), strict=True):
        powers = np.exp(scores.numpy() / temperature)
        assert [place for place, _ in drawn.bars(ax)] == [0, 1, 2]
        assert [height for _, height in drawn.bars(ax)] == pytest.approx(powers / powers.sum())
        assert drawn.ticks(ax.xaxis) == {0.0: "a", 1.0: "b", 2.0: "c"}
        assert ax.get_title() == f"temperature {temperature:g}" and ax.get_ylim() == (0, 1)
    assert [ax.get_ylabel() for ax in figures[0].axes] == ["weight", ""]
    plots.softmax_bars(scores, ["a", "b", "c"])
    assert [ax.get_title() for ax in figures[1].axes] == ["temperature 0.1", "temperature 1", "temperature 10"]


def test_losses_are_drawn_by_epoch_and_on_unseen_pairs_with_dashes(figures):
    plots.loss_curves({"one": [3.0, 2.0, 1.0], "other": [4.0]})
    plots.loss_curves({str(number): [1.0] for number in range(5)})
    assert len({line.get_marker() for line in figures[1].axes[0].lines}) == 5
    (ax,) = figures[0].axes
    assert drawn.lines(ax) == {"one": ([1, 2, 3], [3.0, 2.0, 1.0]), "other": ([1], [4.0])}
    assert (ax.get_yscale(), ax.get_xlabel(), ax.get_ylabel()) == ("log", "epoch", "loss (nats per word)")
    assert [line.get_marker() for line in ax.lines] == ["o", "s"]
    assert [text.get_text() for text in ax.get_legend().texts] == ["one", "other"]
    plots.loss_curves({"one": Losses([3.0, 2.0, 1.0], [(1, 4.0), (3, 3.5)])})
    (ax,) = figures[2].axes
    assert drawn.lines(ax) == {"one: training": ([1, 2, 3], [3.0, 2.0, 1.0]), "one: unseen": ([1, 3], [4.0, 3.5])}
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--"]
    assert len({(line.get_marker(), line.get_color()) for line in ax.lines}) == 1  # both of one model


def test_quality_is_drawn_by_length(figures):
    plots.quality_by_length({"one": [(4.5, 60.0), (7.0, 50.0)], "other": [(4.0, 10.0)]})
    (ax,) = figures[0].axes
    assert drawn.lines(ax) == {"one": ([4.5, 7.0], [60.0, 50.0]), "other": ([4.0], [10.0])}
    assert drawn.labels(ax) == ("length of the French sentence (words)", "BLEU (%)", "")
    assert drawn.limits(ax)[1] == (0, 102)
    assert [line.get_marker() for line in ax.lines] == ["o", "s"]
    assert [text.get_text() for text in ax.get_legend().texts] == ["one", "other"]


def test_a_line_on_training_pairs_has_its_models_colour(figures):
    curves = {"one": [(4.0, 60.0)], "other": [(4.0, 10.0)]}
    plots.quality_by_length(curves, training={"one": [(4.0, 99.0), (8.0, 90.0)]})
    (ax,) = figures[0].axes
    assert drawn.lines(ax) == {
        "one: training": ([4.0, 8.0], [99.0, 90.0]),
        "one: unseen": ([4.0], [60.0]),
        "other: unseen": ([4.0], [10.0]),
    }
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--", "--"]
    first, second, third = (line.get_color() for line in ax.lines)
    assert first == second != third


def test_an_alignment_map_has_the_words_written_as_its_rows(figures):
    ax = plt.figure().subplots()
    weights = torch.rand(2, 3)
    image = plots.alignment_map(ax, weights, ["je", "dors", "."], ["i", "sleep"])
    np.testing.assert_array_equal(drawn.image(ax), weights.numpy())
    assert drawn.ticks(ax.xaxis) == {0.0: "je", 1.0: "dors", 2.0: "."}
    assert drawn.ticks(ax.yaxis) == {0.0: "i", 1.0: "sleep"}
    assert drawn.labels(ax) == ("words read (French)", "words written (English)", "")
    assert image is ax.images[0] and image.get_clim() == (0, 1)


def test_alignment_maps_show_each_sentences_own_weights_up_to_its_end(figures):
    french, english = Lang("fra"), Lang("eng")
    sentences = ["je dors .", "il ne dort pas ."]
    for sentence in sentences:
        french.addSentence(sentence)
    english.addSentence("i sleep .")
    written = {3: ["i", "sleep", "."], 5: ["sleep"]}
    looks = {length: torch.rand(1, 6, length + 1) for length in written}
    called = []

    def decode(model, source, mask, max_length):
        called.append((model, max_length))
        length = source.shape[1] - 1
        assert torch.equal(source, pad_sentences(french, [sentences[length == 5]])) and mask.all()
        words = [english.word2index[word] for word in written[length]] + [EOS_token]
        return torch.tensor([words + [PAD_token] * (6 - len(words))]), looks[length]

    plots.alignment_maps("model", sentences, french, english, decode, max_length=9)
    assert called == [("model", 9)] * 2
    end = english.index2word[EOS_token]
    assert [bar.get_ylabel() for bar in figures[0].axes[2:]] == ["attention weight"]
    for ax, sentence in zip(figures[0].axes, sentences, strict=False):
        read, said = sentence.split(), [*written[len(sentence.split())], end]
        np.testing.assert_array_equal(drawn.image(ax), looks[len(read)][0, : len(said)].numpy())
        assert list(drawn.ticks(ax.xaxis).values()) == [*read, end]
        assert list(drawn.ticks(ax.yaxis).values()) == said
    plots.alignment_maps("model", sentences[:1], french, english, decode)
    assert called[-1] == ("model", 40) and len(figures) == 2
