"""The lesson's figures draw what the model says, and say so when they cannot."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import nn

from utils.captioning import plots
from utils.captioning.stand_ins import LearnedEncoding, TorchAttention, stand_ins
from utils.scenes import grammar
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


@pytest.fixture
def drawn(monkeypatch):
    """The figures that were shown, one at a time."""
    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.gcf()))
    yield shown
    plt.close("all")


def make(attention):
    torch.manual_seed(0)
    with stand_ins(attention, LearnedEncoding, feed_forward=23):
        return Model(INDEX, 64, 14, 2).train()


def test_captions_stand_under_their_pictures_with_a_mark(drawn):
    plots.pictures(["scenes://val/0", "http://127.0.0.1:1/gone"], ["<START> no sentence <END>", "a man"])
    titles = [ax.get_title() for ax in drawn[0].axes]
    assert titles[:2] == ["? no sentence", "a man"]
    assert "no longer" in drawn[0].axes[1].texts[0].get_text()


def test_word_attention_shows_the_weights(drawn, capsys):
    caption = np.array([INDEX[word] for word in ("<START>", "a", "small", "red", "<END>", "<NULL>", "<NULL>")])
    model = make(Attention)
    plots.word_attention(model, np.zeros(64, np.float32), caption, WORDS)
    *maps, colours = drawn[0].axes
    assert colours.get_ylabel() == "attention weight"
    images = [ax.images[0].get_array() for ax in maps]
    assert len(images) == 2
    np.testing.assert_allclose(images[1], np.tril(np.ones((5, 5))) / np.arange(1, 6)[:, None], rtol=1e-6)
    assert model.training
    plots.word_attention(make(TorchAttention), np.zeros(64, np.float32), caption, WORDS)
    assert "cannot be shown" in capsys.readouterr().out and len(drawn) == 1


def test_picture_attention_has_a_map_for_every_word(drawn):
    model = make(TorchAttention)
    plots.picture_attention(model, "scenes://val/2", WORDS, INDEX)
    assert drawn[0].axes[0].get_title() == "the picture"
    assert model.training


def test_the_other_figures_label_their_axes(drawn):
    plots.dot_products(samples=50)
    plots.encoding(torch.zeros(11, 14))
    plots.losses({"a": [3.0, 2.0], "b": [2.0, 1.0]})
    plots.comparison({"own": {"true": 0.9, "bleu": 0.8}, "other": {"true": 0.0, "bleu": 0.1}})
    for figure in drawn:
        assert all(ax.get_ylabel() for ax in figure.axes)
