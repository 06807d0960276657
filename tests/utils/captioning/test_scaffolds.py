"""Students' classes take the scaffolds' places, wherever they are looked up, and only those."""

import pytest
import torch
from torch import nn

from utils import transformer, transformer_layers
from utils.captioning import layers, model
from utils.captioning.scaffolds import install
from utils.captioning.stand_ins import LearnedEncoding, TorchAttention, stand_ins
from utils.common.errors import ShapeError


@pytest.mark.parametrize(
    ("home", "face", "name"),
    [
        (layers, transformer_layers, "MultiHeadAttention"),
        (layers, transformer_layers, "PositionalEncoding"),
        (model, transformer, "CaptioningTransformer"),
    ],
)
def test_an_installed_class_is_what_everybody_finds(home, face, name):
    scaffold = getattr(home, name)
    mine = type(name, (scaffold,), {})
    install(mine)
    assert getattr(home, name) is getattr(face, name) is mine
    assert issubclass(mine, scaffold) and mine is not scaffold


def test_models_are_built_with_what_is_installed():
    install(type("MultiHeadAttention", (TorchAttention,), {}))
    layer = layers.TransformerDecoderLayer(input_dim=6, num_heads=2, dim_feedforward=5)
    assert isinstance(layer.self_attn, TorchAttention) and isinstance(layer.multihead_attn, TorchAttention)
    assert layer(torch.zeros(1, 3, 6), torch.zeros(1, 2, 6)).shape == (1, 3, 6)


def test_a_class_of_another_name_is_refused():
    with pytest.raises(ShapeError, match="no scaffold named TransformerDecoder; keep the name"):
        install(type("TransformerDecoder", (nn.Module,), {}))


def test_stand_ins_leave_as_they_came_even_after_an_error():
    before = layers.MultiHeadAttention, layers.PositionalEncoding, layers.FEED_FORWARD
    with pytest.raises(ZeroDivisionError), stand_ins(TorchAttention, LearnedEncoding, 7):
        assert layers.TransformerDecoderLayer(6, 2).linear1.out_features == 7
        assert (layers.MultiHeadAttention, layers.PositionalEncoding) == (TorchAttention, LearnedEncoding)
        raise ZeroDivisionError
    assert (layers.MultiHeadAttention, layers.PositionalEncoding, layers.FEED_FORWARD) == before
