"""The explorer of `attention` computes what PyTorch computes, and has the lesson's numbers."""

import copy

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import TensorDataset

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from tests.helpers import drawn
from tests.helpers.alive import NETWORKS, four_networks, in_node, network, numbers, sequences_of
from utils.alive.weights import CannotExport
from utils.attention import explorer, exporting, sequences

RUN = """given.inputs.map((x) => {
    const {y, inside} = it.run(it.load(given.spec), Float32Array.from(x), 100, given.options);
    return {y, weights: inside && inside.weights};
})"""


def answers(model, dataset, options=None, name="task 1: with attention") -> list[dict]:
    spec = exporting.exported(name, model, dataset)
    given = {"spec": spec, "inputs": dataset[:][0].flatten(1).tolist(), "options": options or {}}
    return in_node("attention/page/network.js", RUN, given)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_page_computes_what_torch_computes_on_a_hundred_inputs(name):
    model, dataset = NETWORKS[name]()
    rounded = copy.deepcopy(model).half().float()  # as the message carries the weights
    found = answers(model, dataset, name=name)
    y = torch.tensor([one["y"] for one in found])
    with torch.no_grad():
        assert (y - rounded(dataset[:][0])[:, 0]).abs().max() < 1e-5
        assert (y - model(dataset[:][0])[:, 0]).abs().max() < 5e-3
        if found[0]["weights"] is not None:
            expected = rounded[4](rounded[:4](dataset[:][0]), return_attention=True)[1]
            assert (torch.tensor([one["weights"] for one in found]).view_as(expected) - expected).abs().max() < 1e-5
            assert expected.max() > 0.1  # not all alike


def test_a_moved_shape_gives_what_the_network_gives_from_nothing():
    x = sequences_of(1, count=1)[:][0][0, 0]
    moved = [x, x.roll(1), x.roll(1), torch.cat([x[:97], x[97:] + 1]), torch.cat([x[:1] + 1, x[1:]]), x + 1, x]
    spec = exporting.exported("task 1: with attention", network(), sequences_of(1, count=1))
    found = in_node("attention/page/network.js", """(() => { const kept = it.load(given.spec);
        const both = (x) => [kept, it.load(given.spec)].map((one) => it.run(one, Float32Array.from(x), 100).y);
        return given.inputs.map(both);
    })()""", {"spec": spec, "inputs": [row.tolist() for row in moved]})  # fmt: skip
    for kept, fresh in found:
        assert kept == fresh
    assert len({tuple(fresh) for _, fresh in found}) == len(moved) - 2  # two inputs occur twice


def mistaken(scores: torch.Tensor, values: torch.Tensor, mistake: str) -> torch.Tensor:
    """What the layer gives with a mistake of the catalogue: scores (N, T, T), values (N, E, T) -> (N, E, T)."""
    size = scores.shape[1]
    weights = {
        "softmax_over_queries": lambda: scores.softmax(1),
        "softmax_missing": lambda: scores,
        "attention_transposed_in_output": lambda: scores.softmax(2).mT,
        "scaled_by_key_dim": lambda: (scores / 24**0.5).softmax(2),
        "masked_future": lambda: scores.masked_fill(torch.ones(size, size).triu(1).bool(), -torch.inf).softmax(2),
    }[mistake]()
    return values @ weights.mT


@pytest.mark.parametrize("mistake", ["softmax_over_queries", "softmax_missing", "attention_transposed_in_output",
                                     "scaled_by_key_dim", "masked_future"])  # fmt: skip
def test_a_switch_computes_what_the_mistake_computes(mistake):
    dataset = sequences_of(1, count=3)
    model = network().half().float()
    layer = model[4]
    with torch.no_grad():
        entered = model[:4](dataset[:][0])
        scores = layer.query(entered).mT @ layer.key(entered)
        expected = model[5:](mistaken(scores, layer.value(entered), mistake))[:, 0].numpy()
    found = np.array([one["y"] for one in answers(model, dataset, {"mistake": mistake})])
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    assert np.abs(found - model(dataset[:][0])[:, 0].detach().numpy()).max() > 0.01  # it does something


def test_the_temperature_divides_the_scores():
    dataset = sequences_of(1, count=2)
    model = network().half().float()
    with torch.no_grad():
        entered = model[:4](dataset[:][0])
        scores = model[4].query(entered).mT @ model[4].key(entered)
    found = answers(model, dataset, {"temperature": 4})
    expected = (scores / 4).softmax(2).flatten(1).numpy()
    np.testing.assert_allclose([one["weights"] for one in found], expected, atol=1e-6)


def test_every_switch_is_a_mistake_of_the_catalogue():
    switches = [key.removeprefix("mistake_") for key in explorer.WORDS if key.startswith("mistake_")]
    assert 4 <= len(switches) <= 6 and set(switches) <= set(mistakes.load(Lesson.load("attention", WORKBOOK)))


def test_the_sequences_are_the_lessons():
    shapes = sequences.draw_shapes(5, torch.Generator().manual_seed(1))
    given = [
        [
            {"kind": "rectangle" if kind else "triangle", "left": int(left), "height": float(height)}
            for left, kind, height in zip(*one, strict=True)
        ]
        for one in zip(*shapes, strict=True)
    ]
    entry = "attention/page/sequences.js"
    found = in_node(entry, "given.map((s) => [it.drawn(s), it.target(s, 1), it.target(s, 2)])", given)
    expected = [
        sequences.render(shapes),
        *(sequences.render(shapes, mean(shapes)) for mean in sequences.TASKS.values()),
    ]
    np.testing.assert_allclose(found, torch.cat(expected, 1).numpy(), rtol=1e-5)
    constants = in_node(entry, "[it.LENGTH, it.WIDTH, it.LOWEST, it.HIGHEST]")
    assert constants == [sequences.LENGTH, sequences.WIDTH, sequences.LOWEST, sequences.HIGHEST]


def test_the_page_standardises_as_the_data_set_does():
    model, dataset = NETWORKS["task 2: attention with position"]()
    spec = exporting.exported("task 2: attention with position", model, dataset)
    raw = sequences.generate(100, 2, seed=5)[0][0, 0].tolist()
    found = in_node("attention/page/sequences.js", "it.input(given.raw, given)", {
        "raw": raw, "scale": spec["scale"], "codes": numbers(spec["encoding"]).tolist(),
    })  # fmt: skip
    np.testing.assert_allclose(found, dataset[0][0].flatten(), atol=1e-5)


@pytest.mark.parametrize(
    "layer",
    [
        nn.Conv1d(1, 1, 5, padding=2, stride=2),
        nn.Conv1d(1, 1, 4, padding=1),
        nn.Conv1d(1, 1, 5),
        nn.Conv1d(1, 1, 5, padding=2, bias=False),
        nn.Conv1d(1, 1, 5, padding=2, padding_mode="circular"),
        nn.Sigmoid(),
    ],
    ids=str,
)
def test_what_the_page_cannot_compute_is_refused(layer):
    with pytest.raises(CannotExport, match=f"does not know the part {type(layer).__name__};"):
        exporting.layers_of(nn.Sequential(nn.ReLU(), layer))


def test_numbers_that_are_none_and_other_scales_are_refused():
    model, dataset = network(), sequences_of(1, count=3)
    with torch.no_grad():
        model[0].weight[0] = torch.nan
    with pytest.raises(CannotExport, match="NaN"):
        exporting.exported("task 1", model, dataset)
    x, y = sequences.generate(3, 1)
    with pytest.raises(CannotExport, match="not standardised"):
        exporting.exported("task 1", network(), TensorDataset(x, y))


def test_the_picture_has_the_row_of_the_highest_point_of_each_network_with_attention(figures):
    import matplotlib.pyplot as plt

    networks = four_networks()
    shown = explorer.explore(networks)
    figure = plt.figure(figsize=shown.size)
    shown.draw(figure)
    assert [part._suptitle.get_text() for part in figure.subfigs] == list(networks)[1:]
    model, dataset = networks["task 2: attention with position"]
    looks, matrix, says, beside = figure.subfigs[2].axes
    x, _ = dataset[0]
    place = int(x[0].argmax())
    with torch.no_grad():
        weights = model[4](model[:4](x[None]), return_attention=True)[1][0]
        prediction = model(x[None])[0, 0]
    assert looks.get_title() == f"where position {place} looks"
    corners = {tuple(corner) for corner in beside.collections[0].get_paths()[0].vertices.tolist()}
    for i, weight in enumerate(weights[place].tolist()):  # a column around every position
        (height,) = (y for t, y in corners if t == max(i - 0.5, 0) and y and (min(i + 0.5, 99), y) in corners)
        assert height == pytest.approx(weight)
    np.testing.assert_allclose(drawn.image(matrix), weights.sqrt().numpy())
    lines = drawn.lines(says)
    heights, targets = sequences.generate(100, 2, seed=5)
    assert looks.get_ylabel() == says.get_ylabel() == "height"
    assert looks.collections[0].get_paths()[0].vertices[:, 1].max() == pytest.approx(float(heights[0].max()), abs=1e-4)
    assert lines["target"][1] == pytest.approx(targets[0, 0].tolist(), abs=1e-4)
    scale = exporting.scale_of(dataset, 2)["y"]
    assert lines["prediction"][1] == pytest.approx((prediction * scale["std"] + scale["mean"]).tolist(), abs=1e-4)


def test_the_picture_of_sequences_in_another_scale_says_its_unit(figures):
    import matplotlib.pyplot as plt

    model, dataset = NETWORKS["task 2: attention with position"]()
    x, y = dataset[:]
    figure = plt.figure()
    explorer.explore({"task 2": (model, TensorDataset(x + 1, y))}).draw(figure)
    assert figure.subfigs[0].axes[0].get_ylabel() == "height (st. dev.)"
