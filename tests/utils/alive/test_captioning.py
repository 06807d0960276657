"""The explorer of `captioning` computes what PyTorch does, draws what Pillow does, and judges as the grammar does."""

import base64
import copy
import math

import numpy as np
import pytest
import torch
from torch import nn

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from tests.helpers.alive import captioner, in_node, numbers
from utils.alive.weights import BITS, BLOCK, CannotExport, in_blocks
from utils.captioning import explorer, exporting
from utils.captioning.looking import weights_of
from utils.captioning.scenes.dataset import all_scenes
from utils.captioning.scenes.features import convolutions, grid_of
from utils.captioning.scenes.grammar import captions_of, judge
from utils.captioning.scenes.scene import BACKGROUNDS, COLOURS, SHAPES, SIZES, Scene, Thing, drawn, render

READ = """(() => { const model = it.load(given.model);
    return given.features.map((one, n) => {
        const memory = it.remember(model, one.map((place) => Float32Array.from(place)));
        const rows = it.read(model, memory, given.words[n], given.mistake);
        return {scores: rows.map((row) => row.scores), self: rows.map((row) => row.self.at(-1)), cross: rows.map((row) => row.cross.at(-1))};
    });
})()"""  # noqa: E501


def given(model, words, count: int, mistake: str = "") -> tuple[dict, torch.Tensor, torch.Tensor]:
    """A model as exported, and random features and captions."""
    generator = torch.Generator().manual_seed(3)
    features = torch.randn(count, 16, 72, generator=generator).relu()
    rows = torch.randint(len(words), (count, 7), generator=generator)
    spec = exporting.exported(model, ["scenes://val/0"], words, {w: i for i, w in enumerate(words)}, heads=2)
    return (
        {"model": spec["model"], "features": features.tolist(), "words": rows.tolist(), "mistake": mistake},
        features,
        rows,
    )


def unpacked(text: str) -> torch.Tensor:
    """The weights of a message's blocks."""
    data = base64.b64decode(text)
    rows = np.frombuffer(data[4:], np.uint8).reshape(-1, 2 + BLOCK * BITS // 8)
    scale = rows[:, :2].copy().view("<f2").astype(float)
    bits = np.unpackbits(rows[:, 2:], axis=1).reshape(-1, BLOCK, BITS)
    integers = bits @ 2 ** np.arange(BITS)[::-1] - 2 ** (BITS - 1)
    weights = integers * scale / (2 ** (BITS - 1) - 1)
    return torch.tensor(weights.flatten()[: np.frombuffer(data[:4], "<u4")[0]], dtype=torch.float32)


@torch.no_grad()
def rounded(model):
    """The model with its weights as the message carries them."""
    sent = copy.deepcopy(model).eval()
    tensors = list(exporting._tensors(sent, sent.transformer.layers))
    row = unpacked(in_blocks(tensors))
    for tensor, part in zip(tensors, row.split([one.numel() for one in tensors]), strict=True):
        tensor.copy_(part.view_as(tensor))
        if tensor.ndim == 3:  # the positions, which the encoding has added
            sent.positional_encoding.place[:, : tensor.shape[1]] = tensor
    return sent


def test_the_page_computes_what_torch_computes_on_a_hundred_inputs():
    model, words = captioner()
    message, features, rows = given(model, words, 100)
    found = in_node("captioning/page/writer.js", READ, message)
    sent = rounded(model)
    with torch.no_grad():
        scores = torch.tensor([one["scores"] for one in found])
        assert (scores - sent(features, rows)).abs().max() < 1e-5
        expected = model(features, rows)
        assert (scores - expected).abs().max() < 5e-3 * expected.abs().max()
    for kind, name in (("self", "self_attn"), ("cross", "multihead_attn")):
        expected = weights_of(sent, features, rows, name)[-1]  # (N, H, S, T)
        for n, one in enumerate(found):
            for place, heads in enumerate(one[kind]):
                row = torch.tensor(heads)
                assert (row - expected[n, :, place, : row.shape[1]]).abs().max() < 1e-5


def test_switches_compute_what_the_mistakes_compute():
    model, words = captioner()
    message, features, rows = given(model, words, 2)
    right = rounded(model)
    wrong = {name: rounded(model) for name in explorer.WORDS if name.startswith("mistake_")}
    wrong["mistake_no_positions"].positional_encoding = nn.Identity()
    wrong["mistake_one_layer_only"].transformer.layers = right.transformer.layers[:1]
    for name, changes in {
        "mistake_scale_missing": {"scale": 1.0},
        "mistake_heads_ignored": {"num_heads": 1, "scale": 1 / math.sqrt(right.embedding.embedding_dim)},
        "mistake_softmax_over_queries": {"softmax_over": -2},
        "mistake_no_causal_mask": {"masked": False},
    }.items():
        for layer in wrong[name].transformer.layers:
            for part in (layer.self_attn, layer.multihead_attn):
                for key, value in changes.items():
                    setattr(part, key, value)
    for name, one in wrong.items():
        found = in_node("captioning/page/writer.js", READ, message | {"mistake": name.removeprefix("mistake_")})
        with torch.no_grad():
            expected = one(features, rows)
            assert (torch.tensor([part["scores"] for part in found]) - expected).abs().max() < 1e-4, name
            assert (expected - right(features, rows)).abs().max() > 0.01, name


def test_every_switch_is_a_mistake_of_the_catalogue():
    switches = [key.removeprefix("mistake_") for key in explorer.WORDS if key.startswith("mistake_")]
    assert 4 <= len(switches) <= 6 and set(switches) <= set(mistakes.load(Lesson.load("captioning", WORKBOOK)))


def described(scene: Scene) -> dict:
    """A scene as the page has it, where the scene's own drawing has its things."""
    _, things = drawn(scene)
    pairs = zip(scene.things, things, strict=True)
    return {"background": scene.background, "things": [vars(one) | {"x": at.x, "y": at.y} for one, at in pairs]}


def test_the_picture_is_pillows_without_the_small_differences(monkeypatch):
    shapes = [Scene((Thing("large", "red", shape), Thing("small", "blue", shape)), "white", None, "left", 3)
              for shape in SHAPES]  # fmt: skip
    given = [described(scene) for scene in shapes]
    pixels = np.array(in_node("captioning/page/scene.js", "given.map((one) => it.picture(one))", given)).reshape(
        -1, 64, 64, 3
    )

    def plainly(scene):
        _, things = drawn(scene)
        plain = [
            at._replace(radius=SIZES[one.size], turn=0.0, fill=COLOURS[one.colour])
            for one, at in zip(scene.things, things, strict=True)
        ]
        return BACKGROUNDS[scene.background], plain

    plain_of = {scene: plainly(scene) for scene in shapes}
    monkeypatch.setattr("utils.captioning.scenes.scene.drawn", plain_of.__getitem__)
    pictures = np.stack([render(scene, 64) for scene in shapes])
    assert np.abs(pixels - pictures).mean() < 1
    ours, theirs = grid_of(pixels.astype(np.uint8)), grid_of(pictures)
    assert np.sqrt(((ours - theirs) ** 2).mean()) < 0.1 * theirs[..., :64].std()


def test_the_page_sees_what_the_scenes_network_sees():
    pictures = np.stack([render(scene, 64) for scene in all_scenes()["val"][:3]])
    expression = "given.pictures.map((one) => it.grid(it.loadEyes(given.eyes), Float32Array.from(one)))"
    sent = {"eyes": exporting.eyes(), "pictures": pictures.reshape(3, -1).tolist()}
    found = np.array(in_node("captioning/page/features.js", expression, sent))
    expected = grid_of(pictures)
    assert np.abs(found - expected).max() < 5e-3 * expected.max()
    assert len(convolutions()) == 4


def test_the_page_judges_captions_as_the_grammar_does():
    rng = np.random.RandomState(0)
    scenes = all_scenes()["val"][:150]
    cases = []
    for scene, other in zip(scenes, scenes[1:] + scenes[:1], strict=True):
        cases += [(scene, caption) for caption in (*captions_of(scene, rng, 2), *captions_of(other, rng, 1), "a small")]
    found = in_node("captioning/page/scene.js", "given.map(([scene, text]) => it.judge(text, scene))",
                    [[described(scene), text] for scene, text in cases])  # fmt: skip
    assert found == [judge(text, scene) for scene, text in cases]
    assert set(found) == {"true", "false", "malformed"}


def test_the_page_writes_what_the_model_writes():
    model, words = captioner()
    spec = exporting.exported(model, ["scenes://val/0"], words, {w: i for i, w in enumerate(words)}, heads=2)
    features = numbers(spec["probe"]["features"]).reshape(16, 72)
    expression = """(() => {
        const model = it.load(given.model), features = given.features.map((one) => Float32Array.from(one));
        const words = (options) => it.write(model, features, options).words;
        return {free: words({}), forced: words({forced: [undefined, 5]})};
    })()"""
    found = in_node("captioning/page/writer.js", expression, {"model": spec["model"], "features": features.tolist()})
    expected = rounded(model).sample(features[None], max_length=exporting.LONGEST)[0].tolist()
    assert found["free"] == expected[: len(found["free"])] and set(expected[len(found["free"]) :]) <= {0}
    assert found["forced"][:2] == [found["free"][0], 5]


def test_what_the_page_cannot_compute_is_refused():
    model, words = captioner()
    index = {word: number for number, word in enumerate(words)}
    broken = copy.deepcopy(model)
    broken.transformer.layers[0].self_attn.proj = nn.Sequential(broken.transformer.layers[0].self_attn.proj)
    with pytest.raises(CannotExport, match="the part Sequential"):
        exporting.exported(broken, ["scenes://val/0"], words, index, heads=2)
    model.transformer.layers[0].multihead_attn = nn.Module()
    model.sample = lambda *_, **__: np.array([[2]])
    model.forward = lambda *_: torch.zeros(1, 1, 3)
    with pytest.raises(CannotExport, match="the part Module"):
        exporting.exported(model, ["scenes://val/0"], words, index, heads=2)
