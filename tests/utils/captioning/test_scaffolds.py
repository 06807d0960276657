"""Students' classes take the scaffolds' places, wherever they are looked up, and only those."""

import pytest
import torch
from torch import nn

from utils import transformer, transformer_layers
from utils.captioning import layers, model
from utils.captioning.scaffolds import install
from utils.captioning.stand_ins import CompleteLayer, LearnedEncoding, TorchAttention, stand_ins
from utils.common.errors import NotWritten, ShapeError


@pytest.mark.parametrize(
    ("home", "face", "name"),
    [
        (layers, transformer_layers, "MultiHeadAttention"),
        (layers, transformer_layers, "PositionalEncoding"),
        (layers, transformer_layers, "TransformerDecoderLayer"),
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


def test_a_students_layer_makes_up_the_decoder_and_stand_ins_take_its_place():
    class TransformerDecoderLayer(layers.DecoderLayer):
        def forward(self, x, memory, tgt_mask=None):
            return x + memory.mean(dim=1, keepdim=True)

    install(type("MultiHeadAttention", (TorchAttention,), {}))
    install(TransformerDecoderLayer)
    words = {"<NULL>": 0, "<START>": 1, "<END>": 2}
    with stand_ins(encoding=LearnedEncoding):
        mine = model.CaptioningModel(words, 5, 6, num_heads=2)
    assert all(type(layer) is TransformerDecoderLayer for layer in mine.transformer.layers)
    x, memory = torch.ones(2, 3, 6), torch.ones(2, 1, 4, 6)  # a grid's memory after `unsqueeze(1)`
    assert torch.equal(mine.transformer(x, memory), torch.full((2, 3, 6), 3.0))
    judged = model.CaptioningModel.with_stand_ins(words, 5, 6, num_heads=2)
    assert all(type(layer) is CompleteLayer for layer in judged.transformer.layers)


def test_our_own_layer_is_no_answer_to_the_gap():
    with pytest.raises(NotWritten, match="still to be written"):
        type("TransformerDecoderLayer", (CompleteLayer,), {}).with_stand_ins(6, 2, 5)


def test_a_memory_of_another_width_than_the_words_is_refused():
    layer = layers.TransformerDecoderLayer(6, 2, 5, attention=TorchAttention)
    with pytest.raises(ShapeError, match="E = 6 wide"):
        layer(torch.ones(2, 3, 6), torch.ones(2, 4, 5))


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
