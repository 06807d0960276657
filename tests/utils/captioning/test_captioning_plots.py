"""The lesson's figures draw what the model says, and say so when they cannot."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex, to_rgb
from torch import nn

from tests.helpers import drawn
from tests.helpers.hiding import depends_on
from utils.captioning import looking, plots
from utils.captioning.pictures import image_from_url
from utils.captioning.scenes import grammar
from utils.captioning.scenes.dataset import scene_of
from utils.captioning.stand_ins import LearnedEncoding, TorchAttention, stand_ins
from utils.common.figures import GREEN, INK, RED
from utils.transformer import CaptioningModel

WORDS = ["<NULL>", "<START>", "<END>", *grammar.vocabulary()]
INDEX = {word: i for i, word in enumerate(WORDS)}


class Model(CaptioningModel):
    def forward(self, features, captions):
        mask = torch.ones(captions.shape[1], captions.shape[1]).tril()
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, self.visual_projection(features)[:, None], tgt_mask=mask))


class Attention(TorchAttention):
    """Even weights over what may be seen, through a layer attn_drop."""

    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__(embed_dim, num_heads, dropout)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, query, key, value, attn_mask=None):
        S = query.shape[1]
        mask = torch.ones(S, key.shape[1]) if attn_mask is None else attn_mask
        self.attn_drop((mask / mask.sum(1, keepdim=True)).expand(len(query), 2, S, -1))
        return super().forward(query, key, value, attn_mask)


def make(attention):
    torch.manual_seed(0)
    with stand_ins(attention, LearnedEncoding, feed_forward=23):
        return Model(INDEX, 64, 14, 2).train()


def test_captions_stand_under_their_pictures_with_a_mark(figures):
    plots.pictures(["scenes://val/0", "http://127.0.0.1:1/gone"], ["<START> no sentence <END>", "a man"])
    titles = [ax.get_title() for ax in figures[0].axes]
    assert titles[:2] == ["? no sentence", "a man"]
    gone = figures[0].axes[1]
    assert "no longer" in gone.texts[0].get_text()
    assert gone.title.get_color() == gone.texts[0].get_color() == INK  # which follows the page, as black would not
    assert to_hex(gone.patches[0].get_edgecolor()) == INK


def test_word_attention_shows_the_weights(figures, capsys):
    caption = np.array([INDEX[word] for word in ("<START>", "a", "small", "red", "<END>", "<NULL>", "<NULL>")])
    model = make(Attention)
    plots.word_attention(model, np.zeros(64, np.float32), caption, WORDS)
    *maps, colours = figures[0].axes
    assert colours.get_ylabel() == "attention weight"
    images = [ax.images[0].get_array() for ax in maps]
    assert len(images) == 2
    np.testing.assert_allclose(images[1], np.tril(np.ones((5, 5))) / np.arange(1, 6)[:, None], rtol=1e-6)
    assert model.training
    plots.word_attention(make(TorchAttention), np.zeros(64, np.float32), caption, WORDS)
    assert "cannot be shown" in capsys.readouterr().out and len(figures) == 1


def test_picture_attention_has_a_map_for_every_word(figures):
    model = make(TorchAttention)
    plots.picture_attention(model, "scenes://val/2", WORDS, INDEX, depends_on)
    assert figures[0].axes[0].get_title() == "the picture"
    assert figures[0].axes[1].images[1].get_array().shape == (9, 9)  # patches of 16 points, 6 apart, on 64
    blocks = sum(bool(ax.get_ylabel()) for ax in figures[0].axes)  # each has a colour bar, with its label
    maps = figures[0].axes[:-blocks]
    assert len(maps) % blocks == 0 and len(maps) // blocks <= plots.LARGEST_BLOCK
    assert model.training


def test_the_other_figures_label_their_axes(figures):
    plots.dot_products(samples=50)
    plots.encoding(torch.zeros(11, 14))
    plots.losses({"a": [3.0, 2.0], "b": [2.0, 1.0]})
    plots.comparison({"own": {"true": 0.9, "bleu": 0.8}, "other": {"true": 0.0, "bleu": 0.1}})
    for figure in figures:
        assert all(ax.get_ylabel() for ax in figure.axes)


# ---- what is drawn ------------------------------------------------------------------------------------------


def test_the_left_curve_is_the_spread_and_the_right_ones_are_the_peaks_unscaled_and_scaled(figures):
    """Of unit variance: q·k spreads by √d; scaled, the largest of ten weights stays as for d = 1 or so."""
    widths = (4, 64, 1024)
    plots.dot_products(widths, samples=400)
    assert [drawn.labels(ax) for ax in figures[0].axes] == [
        ("width d of the vectors", "standard deviation of q·k", "scores grow with the width"),
        ("width d of the vectors", "largest of 10 weights, mean", "unscaled, one key takes all"),
    ]
    assert [(ax.get_xscale(), ax.get_yscale()) for ax in figures[0].axes] == [("log", "log"), ("log", "linear")]
    assert drawn.limits(figures[0].axes[1])[1] == (0, 1.05)
    for ax in figures[0].axes:
        assert drawn.ticks(ax.xaxis) == {float(width): str(width) for width in widths}
        assert not ax.xaxis.get_minorticklocs().size
        assert [text.get_text() for text in ax.get_legend().texts] == list(drawn.lines(ax))
    assert drawn.ticks(figures[0].axes[0].yaxis) == {2.0: "2", 4.0: "4", 8.0: "8", 16.0: "16"}
    colours = [line.get_color() for line in figures[0].axes[1].lines]
    assert colours == [RED, GREEN]
    left, right = (drawn.lines(ax) for ax in figures[0].axes)
    assert left["√d"] == (list(widths), pytest.approx([2, 8, 32]))
    assert left["measured"] == (list(widths), pytest.approx([2, 8, 32], rel=0.1))
    unscaled, scaled = right["softmax(q·k)"], right["softmax(q·k / √d)"]
    assert unscaled[0] == scaled[0] == list(widths)
    generator = torch.Generator().manual_seed(1)
    normal = torch.randn(4000, 10, generator=generator)
    for place, width in enumerate(widths):
        peak = (normal * width**0.5).softmax(1).amax(1).mean().item()
        assert unscaled[1][place] == pytest.approx(peak, rel=0.1)
        assert scaled[1][place] == pytest.approx(normal.softmax(1).amax(1).mean().item(), rel=0.1)
    assert unscaled[1] == sorted(unscaled[1]) and unscaled[1][-1] > 0.9


def test_an_encoding_is_drawn_as_it_is_beside_the_dot_products_of_its_rows(figures):
    table = torch.randn(11, 7, requires_grad=True)
    plots.encoding(table)
    left, right = figures[0].axes[:2]
    assert drawn.labels(left) == ("column j", "position i", "the encoding P(i, j)")
    assert drawn.labels(right) == ("position", "position", "dot products of two rows")
    assert [bar.get_ylabel() for bar in figures[0].axes[2:]] == ["value", "$P_i \\cdot P_k$"]
    rows = table.detach()
    np.testing.assert_array_equal(drawn.image(left), rows.numpy())
    assert left.images[0].get_clim() == (-1, 1)
    products = torch.tensor([[float(one @ other) for other in rows] for one in rows])
    np.testing.assert_allclose(drawn.image(right), products.numpy(), atol=1e-5)


def test_losses_are_drawn_from_the_first_step_on(figures):
    plots.losses({"a": [3.0, 2.0], "b": [2.0, 1.0, 0.5]}, "loss")
    plots.losses({"a": [3.0, 2.0]})
    both, one = (figure.axes[0] for figure in figures)
    assert drawn.lines(both) == {"a": ([1, 2], [3.0, 2.0]), "b": ([1, 2, 3], [2.0, 1.0, 0.5])}
    assert both.get_yscale() == "log" and drawn.labels(both) == ("step (batches)", "loss", "")
    for ax, names in ((both, ["a", "b"]), (one, ["a"])):
        assert [text.get_text() for text in ax.get_legend().texts] == names
    assert one.get_ylabel() == "loss (nats per place)"


def test_a_group_of_bars_belongs_to_each_result(figures):
    plots.comparison({"own": {"true": 0.9, "bleu": 0.8}, "other": {"bleu": 0.1, "true": 0.2}})
    (ax,) = figures[0].axes
    assert drawn.bars(ax) == [pytest.approx(bar) for bar in ((-0.2, 0.9), (0.8, 0.2), (0.2, 0.8), (1.2, 0.1))]
    assert drawn.ticks(ax.xaxis) == {0.0: "own", 1.0: "other"}
    assert ax.get_ylabel() == "unseen scenes" and drawn.limits(ax)[1] == (0, 1.18)
    assert {round(bar.get_width(), 6) for bar in ax.patches} == {0.38}  # two beside each other, with a gap
    assert [text.get_text() for text in ax.texts] == ["0.90", "0.20", "0.80", "0.10"]
    assert [text.get_text() for text in ax.get_legend().texts] == ["true captions (share)", "BLEU-4"]
    plots.comparison({"own": {"loss": 0.5}}, keys=("loss",))
    assert drawn.bars(figures[1].axes[0]) == [pytest.approx((-0.2, 0.5))]


def test_pictures_fill_the_rows_of_a_grid_and_marks_have_their_colours(figures):
    urls = [f"scenes://val/{number}" for number in range(5)]
    plots.pictures(urls, ["no sentence"] * 5, columns=3)
    axes = figures[0].axes
    assert len(axes) == 6 and axes[0].get_subplotspec().get_gridspec().get_geometry() == (2, 3)
    for ax, url in zip(axes, urls, strict=False):
        np.testing.assert_array_equal(ax.images[0].get_array(), image_from_url(url))
    assert not axes[5].images and not axes[5].axison


def test_a_caption_is_judged_by_its_own_scene(figures):
    urls = ["scenes://val/0", "scenes://val/1"]
    said = [grammar.captions_of(scene_of(url), np.random.RandomState(0), 1)[0] for url in urls]
    assert said[0] != said[1]
    plots.pictures([*urls, *urls], [*said, *said[::-1]])
    assert [ax.get_title()[0] for ax in figures[0].axes] == ["✓", "✓", "✗", "✗"]


def test_a_frame_has_the_colour_of_the_mark_and_a_caption_that_of_text(figures, monkeypatch):
    said = iter(("true", "false", "malformed"))
    monkeypatch.setattr(plots, "judge", lambda caption, scene: next(said))
    plots.pictures(["scenes://val/0"] * 3, ["<START> a b <END>"] * 3)
    axes = figures[0].axes[:3]
    assert [ax.get_title() for ax in axes] == ["✓ a b", "✗ a b", "? a b"]
    assert [to_hex(ax.patches[0].get_edgecolor()) for ax in axes] == [GREEN.lower(), RED.lower(), RED.lower()]
    assert {ax.title.get_color() for ax in axes} == {INK}


def test_a_picture_that_nothing_judges_has_no_frame(figures):
    plots.pictures(["http://127.0.0.1:1/gone"], ["a man"])
    assert [patch.get_linestyle() for patch in figures[0].axes[0].patches] == [":"]  # the place that stays empty


def test_word_attention_is_of_the_first_layer_and_rows_are_the_words_that_look(figures):
    caption = np.array([INDEX[word] for word in ("<START>", "a", "small", "<END>", "<NULL>")])
    plots.word_attention(make(Attention), np.zeros(64, np.float32), caption, WORDS)
    words = ["<START>", "a", "small", "<END>"]
    *maps, _ = figures[0].axes
    for ax in maps:
        np.testing.assert_allclose(drawn.image(ax), np.tril(np.ones((4, 4))) / np.arange(1, 5)[:, None], rtol=1e-6)
        assert list(drawn.ticks(ax.xaxis).values()) == words
        assert ax.images[0].get_clim() == (0, 1)
    assert list(drawn.ticks(figures[0].axes[0].yaxis).values()) == words
    # The later three words: on themselves 1/2, 1/3 and 1/4, and as much on the word before.
    title = "head {}\nitself 36%, the word before 36%"
    assert [drawn.labels(ax) for ax in maps] == [
        ("looks at", "word", title.format(1)),
        ("looks at", "", title.format(2)),
    ]


def test_a_head_is_empty_where_nothing_is_looked_at_and_framed_where_another_word_is(figures):
    ax = plt.figure().subplots()
    weights = np.array([[1.0, 0, 0], [0.25, 0.75, 0], [0.5, 1e-9, 0.5]])
    plots._head(ax, weights, ["a", "b", "c"])
    assert (
        ax.images[0].get_array().mask.tolist() == (weights == 0).tolist()
    )  # a weight that leaks through the mask shows
    assert [(frame.get_x() + 0.5, frame.get_y() + 0.5) for frame in ax.patches] == [(0, 2)]


class Faint(Attention):
    """No weight is near 1."""

    def forward(self, query, key, value, attn_mask=None):
        return super().forward(query, key, value, None if attn_mask is None else attn_mask + 1.0)


def test_every_head_is_drawn_on_the_scale_from_0_to_1(figures):
    caption = np.array([INDEX[word] for word in ("<START>", "a", "small", "<END>")])
    plots.word_attention(make(Faint), np.zeros(64, np.float32), caption, WORDS)
    *maps, _ = figures[0].axes
    assert [ax.images[0].get_clim() for ax in maps] == [(0, 1)] * 2


class Silent(Attention):
    """Has a layer attn_drop and does not use it."""

    def forward(self, query, key, value, attn_mask=None):
        return TorchAttention.forward(self, query, key, value, attn_mask)


@pytest.mark.parametrize(
    ("attention", "says"),
    [
        (TorchAttention, "These attention weights cannot be shown: the class has no layer attn_drop.\n"),
        (Silent, "These attention weights cannot be shown: they do not pass through attn_drop.\n"),
    ],
)
def test_weights_that_cannot_be_shown_are_said_and_the_model_is_left_as_it_was(figures, capsys, attention, says):
    model = make(attention)
    plots.word_attention(model, np.zeros(64, np.float32), np.array([INDEX["<START>"], INDEX["a"]]), WORDS)
    assert (capsys.readouterr().out, figures, model.training) == (says, [], True)


class Spot(nn.Module):
    """Says one word after another; how sure it is depends on the features, which the test sets."""

    def __init__(self, words):
        super().__init__()
        self.words, self.visual_projection, self.output = words, nn.Linear(5, 1), nn.Linear(1, len(WORDS))

    def sample(self, features, max_length):
        assert max_length == 16 and len(features) == 1 and not (features != 0).any()  # of the picture as it is
        return np.array([[INDEX[word] for word in (*self.words, "<END>")]] * len(features))

    def forward(self, features, captions):
        assert features.shape[1] == 5 and (features[:, 3:] == 0).all()  # padded to the model's width
        scores = torch.zeros(len(features), captions.shape[1], len(WORDS))
        for place, word in enumerate((*self.words, "<END>")[: captions.shape[1]]):
            scores[:, place, INDEX[word]] = features[:, place]
        return scores


def test_picture_attention_shows_where_hiding_a_patch_makes_a_word_less_sure(figures, monkeypatch):
    """Three made-up features: how bright the upper left is, the lower right, and nothing."""

    def features_of(pictures):
        assert pictures.shape == (1, 64, 64, 3)
        changed = (pictures != noise).any(axis=3).astype(np.float32)
        assert (pictures[changed > 0] == np.median(noise.reshape(-1, 3), axis=0)).all()
        return np.stack([-changed[:, :9, :9].mean((1, 2)), -changed[:, -9:, :9].mean((1, 2)), 0 * changed[:, 0, 0]], 1)

    monkeypatch.setattr(plots, "SIDE", 64)
    noise = np.random.RandomState(0).randint(1, 255, (64, 64, 3)).astype(np.uint8)
    monkeypatch.setattr(plots, "render", lambda scene, side: noise)
    monkeypatch.setattr(looking, "features_of", features_of)
    plots.picture_attention(
        Spot(["a", "small"]).train(), "scenes://val/2", WORDS, INDEX, depends_on, patch=16, stride=8
    )
    shown, first, second, bar = figures[0].axes
    np.testing.assert_array_equal(shown.images[0].get_array(), noise)
    assert (first.get_title(), second.get_title()) == ("a", "small")
    assert [text.get_text() for text in first.texts] == ["depends on"] and not second.texts
    assert bar.get_ylabel() == "fall of log-\nprobability (nats)"
    for ax, place in ((first, (0, 0)), (second, (-1, 0))):
        falls = np.asarray(ax.images[1].get_array())
        assert falls.shape == (7, 7)
        assert np.unravel_index(falls.argmax(), falls.shape) == tuple(np.array(place) % 7)
        assert falls.min() == 0 and falls[3, 3] == 0
        assert ax.images[1].get_clim() == (0, 1)  # where no word falls by more than 2
        assert ax.images[1].get_extent() == [4, 60, 60, 4]  # a cell around the middle of each patch
        assert (ax.get_xlim(), ax.get_ylim()) == ((0, 64), (64, 0))
    # ln of what a score of 0 among V zeros says, less that of a score of -1: hiding the whole corner
    expected = np.log(np.exp(-1) + len(WORDS) - 1) + 1 - np.log(len(WORDS))
    assert np.asarray(first.images[1].get_array()).max() == pytest.approx(expected, rel=1e-4)


def test_each_row_of_maps_has_its_name_and_its_bar_in_every_block(figures):
    """Nine words and the picture: two blocks of five, each with a row for each kind of map."""
    kinds = [
        plots._Maps(name, f"{name}'s unit", colour, np.full((4, 4, 9), 0.5), (0, 64, 64, 0), 1.0)
        for name, colour in (("depends on", RED), ("looks at", GREEN))
    ]
    plots._word_maps(np.zeros((64, 64, 3), np.uint8), list("abcdefghi"), kinds)
    rows, bars = np.reshape(figures[0].axes[:20], (4, 5)), figures[0].axes[20:]
    assert [[ax.get_title() for ax in row] for row in rows[::2]] == [["the picture", *"abcd"], list("efghi")]
    named = [[text.get_text() for ax in row for text in ax.texts] for row in rows]
    assert named == [["depends on"], ["looks at"]] * 2
    assert [bar.get_ylabel() for bar in bars] == ["depends on's unit", "looks at's unit"] * 2
    clear, full = rows[3, 0].images[1].cmap([0.0, 1.0])
    assert clear[3] == 0 and tuple(full[:3]) == pytest.approx(to_rgb(GREEN))


def test_eight_training_pictures_are_sampled_where_nothing_else_is_said(monkeypatch):
    data = {
        "train_captions": np.arange(40)[:, None] % len(WORDS),
        "train_image_idxs": np.arange(40),
        "train_urls": np.arange(40),
        "idx_to_word": WORDS,
    }
    calls = []
    monkeypatch.setattr(plots, "pictures", lambda urls, captions: calls.append(len(set(urls.tolist()))))
    plots.sampled_pictures(data)
    assert calls == [8]


def test_sampled_pictures_are_of_the_captions_drawn(figures, monkeypatch):
    data = {
        "val_captions": np.array([[INDEX["<START>"], INDEX["a"]], [INDEX["<START>"], INDEX["red"]]]),
        "val_image_idxs": np.array([1, 0]),
        "val_urls": np.array(["scenes://val/0", "scenes://val/1"]),
        "idx_to_word": WORDS,
    }
    calls = []
    monkeypatch.setattr(plots, "pictures", lambda urls, captions: calls.append(dict(zip(captions, urls, strict=True))))
    plots.sampled_pictures(data, "val", count=2)
    assert calls == [{"<START> a": "scenes://val/1", "<START> red": "scenes://val/0"}]
