"""The lessons' modules, completed, on a GPU: what comes out is what the CPU gives.

Where there is no GPU, a pretended one (`pretended_gpu.py`) shows that no tensor is left behind on the CPU.
"""

import copy
import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils import transformer_layers
from utils.attention import training
from utils.attention_utils import Lang, pad_pairs
from utils.captioning.plots import picture_attention, word_attention
from utils.captioning_solver_transformer import CaptioningSolverTransformer
from utils.checks.engine.pretended_gpu import GPU, PretendedGpu
from utils.coco_utils import load_coco_data
from utils.gradient_check import eval_numerical_gradient_array, rel_error
from utils.seq2seq import model as seq2seq
from utils.seq2seq import training as seq2seq_training

DTYPES = (torch.float32, torch.float64)


def real_gpu():
    if not torch.cuda.is_available():
        pytest.skip("this computer has no GPU that torch can use")
    return "cuda"


@pytest.fixture
def cuda():
    return real_gpu()


@pytest.fixture(params=["cuda", "pretended"])
def gpu(request):
    if request.param == "cuda":
        yield real_gpu()
    else:
        with PretendedGpu():
            yield GPU


@pytest.fixture(autouse=True)
def exact_products():
    """Products in full float32: with TF32 a GPU keeps ten bits, and close words may change places."""
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = False
    yield
    torch.backends.cuda.matmul.allow_tf32 = before


@pytest.fixture
def captioning():
    names = reference.reference_names(Lesson.load("captioning", WORKBOOK))
    for part in ("MultiHeadAttention", "PositionalEncoding"):
        transformer_layers.install(names[part])
    return names


@pytest.fixture
def data(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path_factory.getbasetemp()))
    return load_coco_data(max_train=50)


def model_for(captioning, data, dtype=torch.float32):
    torch.manual_seed(0)
    width = data["train_features"].shape[1]
    return captioning["CaptioningTransformer"](data["word_to_idx"], width, 32, num_heads=2, max_length=30).to(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_attention_and_encoding_agree_with_the_cpu(captioning, gpu, dtype):
    torch.manual_seed(0)
    attention = captioning["MultiHeadAttention"](14, 2).to(dtype).eval()
    encoding = captioning["PositionalEncoding"](14).to(dtype).eval()
    query, key, value = torch.randn(3, 5, 14), torch.randn(3, 7, 14), torch.randn(3, 7, 14)
    mask = torch.rand(5, 7) < 0.7
    mask[:, 0] = True
    here = [x.to(dtype) for x in (query, key, value)]
    there = [x.to(gpu, dtype) for x in (query, key, value)]
    for given in (None, mask):
        want = encoding(attention(*here, attn_mask=given))
        on_gpu = given if given is None else given.to(gpu)
        got = copy.deepcopy(encoding).to(gpu)(copy.deepcopy(attention).to(gpu)(*there, attn_mask=on_gpu))
        assert got.device.type == gpu and got.dtype == dtype
        torch.testing.assert_close(got.cpu(), want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("dtype", "beam_width"), list(zip(DTYPES, (1, 3), strict=True)))
def test_captions_are_those_of_the_cpu_with_and_without_the_cache(captioning, data, gpu, dtype, beam_width):
    model = model_for(captioning, data, dtype)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    features = data["val_features"][:7]
    want = model.sample(features, 29, beam_width, cached=False)
    model.to(gpu)
    for cached in (True, False):
        np.testing.assert_array_equal(model.sample(features, 29, beam_width, cached=cached), want)
    assert model.sample(torch.from_numpy(features).to(gpu), 29).shape == (7, 29)


@pytest.mark.whole
def test_the_solver_trains_and_the_figures_are_drawn(captioning, data, gpu, capsys, monkeypatch):
    monkeypatch.setattr("matplotlib.pyplot.show", lambda *_args, **_kwargs: None)
    model = model_for(captioning, data).to(gpu)
    solver = CaptioningSolverTransformer(
        model, data, data["idx_to_word"], num_epochs=25, batch_size=25, learning_rate=0.01, print_every=50
    )
    solver.train()
    assert np.mean(solver.loss_history[-5:]) < np.mean(solver.loss_history[:5]) / 2
    assert "step" in capsys.readouterr().out
    word_attention(model, data["train_features"][0], data["train_captions"][0], data["idx_to_word"])
    picture_attention(model, data["train_urls"][0], data["idx_to_word"], data["word_to_idx"])
    assert "cannot be shown" not in capsys.readouterr().out


def test_gradients_are_numerical_gradients(captioning, gpu):
    torch.manual_seed(0)
    attention = captioning["MultiHeadAttention"](6, 2).double().to(gpu).eval()
    x = torch.randn(2, 3, 6, dtype=torch.float64, device=gpu, requires_grad=True)
    weight = torch.randn(2, 3, 6, dtype=torch.float64, device=gpu)
    (attention(x, x, x) * weight).sum().backward()

    def forward(array):
        with torch.no_grad():
            moved = torch.from_numpy(array).to(gpu)
            return attention(moved, moved, moved).cpu().numpy()

    numerical = eval_numerical_gradient_array(forward, x.detach().cpu().numpy(), weight.cpu().numpy())
    assert rel_error(numerical, x.grad.cpu().numpy()) < 1e-6


def test_the_translator_learns_and_translates(cuda):
    lesson = reference.reference_names(Lesson.load("seq2seq", WORKBOOK))
    pairs = [
        ("je suis fatigue .", "i m tired ."),
        ("il a faim .", "he s hungry ."),
        ("elle porte une robe rouge .", "she s wearing a red dress ."),
    ]
    french, english = Lang("fra"), Lang("eng")
    for source, target in pairs:
        french.addSentence(source)
        english.addSentence(target)
    torch.manual_seed(0)
    decoder = lesson["AttentionDecoder"](english.n_words, 9, 32, 32, lesson["AdditiveAttention"](32, 32, 6), 0.0)
    encoder = seq2seq.Encoder(french.n_words, 9, 32, 0.0)
    model = seq2seq.Translator(encoder, decoder, lesson["summarise"]).to(cuda)
    functions = {
        "decode": lesson["decode_with_teacher"],
        "loss": lesson["sentence_loss"],
        "step": lesson["training_step"],
    }
    padded = pad_pairs(pairs, french, english)
    history = seq2seq_training.train(model, padded, epochs=60, batch_size=3, learning_rate=2e-2, **functions)
    assert history.training[-1] < 0.1 < history.training[0]
    sources, references = zip(*pairs, strict=True)
    for decode in (lesson["greedy_decode"], seq2seq_training.beam_decode):
        assert seq2seq_training.translate(model, sources, french, english, decode) == list(references)


@pytest.mark.whole
def test_the_toy_networks_learn(gpu):
    names = reference.reference_names(Lesson.load("attention", WORKBOOK))
    torch.manual_seed(0)
    inputs = torch.randn(40, 1, 20)
    dataset = torch.utils.data.TensorDataset(inputs, inputs.flip(2))
    model = nn.Sequential(nn.Conv1d(1, 8, 5, padding=2), names["SelfAttentionLayer"](8, 8, 4), nn.Conv1d(8, 1, 1)).to(
        gpu
    )
    before = training.mean_squared_error(model, dataset)
    training.train(model, dataset, names["training_loop"], steps=100)
    assert training.mean_squared_error(model, dataset) < before
    assert training.predict(model, inputs).device.type == "cpu"


def test_a_gpu_refuses_what_lies_on_the_cpu(gpu):
    layer = nn.Linear(3, 2).to(gpu)
    assert layer(torch.ones(1, 3, device=gpu)).device.type == gpu
    with pytest.raises(RuntimeError, match="same device"):
        layer(torch.ones(1, 3))


def test_the_pretended_gpu_holds_numbers_that_code_may_look_at():
    with PretendedGpu():
        x = torch.tensor([[3.0, -1.0], [0.5, 2.0]], device=GPU)
        assert [x.device.type, x.new_tensor([1, 2]).device.type, x.new_zeros(2).device.type] == [GPU] * 3
        assert torch.as_tensor([1.0], device=torch.device(GPU, 0)).device.type == GPU
        assert x.tolist() == [[3.0, -1.0], [0.5, 2.0]] and x.max().item() == 3 and bool((x[0] > 2).any())
        x[x < 0] = 0.0
        x += 1
        assert x.cpu().tolist() == [[4.0, 1.0], [1.5, 3.0]]
        assert (x + torch.tensor(1.0)).device.type == GPU  # numbers may mix
        assert torch.tensor([1.0]).device.type == "cpu"
    assert (x.cpu() + 1).tolist() == [[5.0, 2.0], [2.5, 4.0]]  # what lies there can be brought back afterwards


def test_a_pretended_gpu_does_not_load_torchs_compiler():
    """Two seconds, in a student's first check."""
    code = (
        "import sys, torch\nfrom utils.checks.engine.pretended_gpu import GPU, PretendedGpu\n"
        "with PretendedGpu():\n    print(torch.nn.Linear(3, 2).to(GPU)(torch.ones(1, 3, device=GPU)).device.type)\n"
        "    y = torch.ones(2).to(GPU) + 1\n"
        "print(y.detach().cpu().tolist())\n"
        "print('torch._dynamo' in sys.modules, 'sympy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines() == [GPU, "[2.0, 2.0]", "False False"], done.stderr


def test_what_is_brought_back_keeps_its_gradient():
    with PretendedGpu():
        weights = torch.ones(2, device=GPU, requires_grad=True)
        (3 * weights).cpu().sum().backward()
        assert weights.grad is not None and weights.grad.tolist() == [3.0, 3.0]
        assert not weights.detach().requires_grad and weights.detach().device.type == GPU
