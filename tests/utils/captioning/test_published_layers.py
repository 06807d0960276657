"""CS231n's notebook of 2026 on the workbook's modules: with GELU its printed values come out, in evaluation mode.

Source: assignment 3, Transformer_Captioning.ipynb in https://github.com/MuQY1818/cs231n-2026-zh (commit 9c5ede7),
whose cells print these numbers; the limits are those that its text names.
"""

import pytest
import torch

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils import transformer_layers
from utils.captioning import layers

LAYER = torch.tensor([
    [0.27005595, -0.21056601, 0.63376445, -0.35391954, 0.60071295, -1.7566615, -0.1314159, -1.7659538, -0.5575517,
     0.680143, 1.8622686, 0.7291234],
    [-0.6080135, 0.4421802, -0.07590749, -0.12093157, 0.94722354, -1.0223433, 0.47332686, -1.3958666, 2.1890075,
     -1.0380646, 0.9437816, -0.7343922],
    [-0.89690155, 0.60447216, 0.10688882, 0.03492759, 1.8388084, -0.9772293, 0.7621334, -0.668234, 1.3260399,
     -1.8417019, 0.21718435, -0.506388],
    [-0.70961505, -0.02918372, -0.39894593, -0.8069395, 0.04967685, 0.29345992, 0.7871747, -1.3172938, 1.4744806,
     1.2633642, 1.1611108, -1.767289],
], dtype=torch.float64)  # fmt: skip
SCORES = torch.tensor([
    [[0.62165695, -0.6203744, -1.116114], [0.6641097, -0.60309553, -1.3479083], [0.62117404, -0.79205745, -1.1095243]],
    [[0.62160987, -0.6214724, -1.1171186], [0.6093992, -0.61166143, -1.3365762], [0.62108713, -0.79322916, -1.1104958]],
    [[0.6406587, -0.57419956, -1.1300566], [0.6075228, -0.60872054, -1.3372457], [0.6471472, -0.8270494, -1.1064028]],
    [[0.64029807, -0.5755552, -1.1284486], [0.60708034, -0.6099963, -1.3356377], [0.59367496, -0.8346836, -1.0914496]],
], dtype=torch.float64)  # fmt: skip


@pytest.fixture
def captioning(monkeypatch):
    """Return the reference's names, installed; decoder layers have GELU meanwhile."""
    names = reference.reference_names(Lesson.load("captioning", WORKBOOK))
    monkeypatch.setattr(layers, "ACTIVATION", "relu")
    for part in ("MultiHeadAttention", "PositionalEncoding", "TransformerDecoderLayer"):
        transformer_layers.install(names[part])
    return names


def relative_error(one, other):
    return float(((one - other).abs() / (one.abs() + other.abs()).clamp(min=1e-8)).max())


def layer_output(**options):
    torch.manual_seed(231)
    layer = transformer_layers.TransformerDecoderLayer(12, 2, 4 * 12, **options).eval()
    target, memory = torch.randn(1, 4, 12), torch.randn(1, 5, 12)
    return layer(target, memory, torch.randn(4, 4) < 0.5).detach().double()


def test_a_decoder_layer_with_gelu_gives_the_values_that_cs231n_prints_since_2025(captioning):
    assert relative_error(LAYER[None], layer_output(activation="gelu")) < 1e-6
    assert relative_error(LAYER[None], layer_output()) > 0.1


def test_a_captioner_with_gelu_gives_the_values_that_cs231n_prints_since_2025(captioning):
    transformer_layers.use_activation("gelu")
    torch.manual_seed(231)
    words = {"<NULL>": 0, "cat": 2, "dog": 3}
    model = captioning["CaptioningTransformer"](words, 20, 30, num_heads=2, num_layers=2, max_length=30).eval()
    features, captions = torch.randn(4, 20), torch.randint(0, 3, (4, 3))
    assert relative_error(SCORES, model(features, captions).detach().double()) < 1e-5
    with pytest.raises(KeyError):
        transformer_layers.use_activation("tanh")


def test_the_parts_of_a_decoder_layer_have_cs231ns_names_of_2025_as_well(captioning):
    layer = transformer_layers.TransformerDecoderLayer(12, 2)
    assert layer.cross_attn is layer.multihead_attn
    assert (layer.norm_self, layer.norm_cross, layer.norm_ffn) == (layer.norm1, layer.norm2, layer.norm3)
    x = torch.randn(2, 3, 12)
    assert torch.equal(layer.eval().ffn(x), layer.linear2(torch.relu(layer.linear1(x))))
    with pytest.raises(AttributeError):
        layer.no_such_part  # noqa: B018
