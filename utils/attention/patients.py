"""The sick models of the lesson `attention`: networks for task 2, how they are disguised, made ill and measured.

Inputs are standardised by numbers that are kept with the weights, and the channels of positions are kept as well.

N sequences, T positions, C channels of the network, d components of queries and keys.
"""

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.attention.exporting import attends
from utils.attention.sequences import LENGTH, Shapes, draw_shapes, mean_height_by_side, render
from utils.attention.sequences import WIDTH as POINTS
from utils.checks import patients
from utils.checks.patients import Weights
from utils.common.messages import N_

BITS, CHANNELS, KEY_DIM = 7, 32, 16
SEQUENCES = 64  # on which a patient is measured
SHOWN = 2  # sequences whose shapes a table lists
KINDS = (N_("shapes"), N_("ground"))  # where a loss is measured
Networks = Mapping[str, tuple[nn.Module, TensorDataset]]  # each with a test set as its inputs are
ASSET = Path(__file__).with_name("patients.npz")


class Measured(NamedTuple):
    """Sequences on which patients are measured: standardised (N, 8, T), targets in heights (N, 1, T), the shapes."""

    inputs: torch.Tensor
    targets: torch.Tensor
    shapes: Shapes
    wanted: torch.Tensor  # heights of the shapes in the targets, (N, 4)


def network(attention: nn.Module) -> nn.Sequential:
    """Return a network for 8 channels with an attention layer between the convolutions first, second, third, last."""
    widths = {"first": (1 + BITS, CHANNELS), "second": 2 * (CHANNELS,), "third": 2 * (CHANNELS,), "last": (CHANNELS, 1)}
    parts: dict[str, nn.Module] = {}
    for name, (width, out) in widths.items():
        parts[name] = nn.Conv1d(width, out, kernel_size=5, padding="same")
        if name != "last":
            parts[f"after_{name}"] = nn.ReLU()
        if name == "second":
            parts["attention"] = attention
    return nn.Sequential(OrderedDict(parts)).float()  # as the inputs are, whatever torch's default is


def scale() -> tuple[float, float, float, float]:
    """Return mean and standard deviation of the heights of inputs, and of targets."""
    x_mean, x_std, y_mean, y_std = patients.kept(ASSET)["scale"].tolist()
    return x_mean, x_std, y_mean, y_std


@patients.drawn
def measured_on(seed: int) -> Measured:
    """Return sequences on which patients are measured."""
    shapes = draw_shapes(SEQUENCES, torch.Generator().manual_seed(seed))
    wanted = mean_height_by_side(shapes)
    x_mean, x_std, _, _ = scale()
    encoding = torch.from_numpy(patients.kept(ASSET)["encoding"]).float().expand(SEQUENCES, -1, LENGTH)
    inputs = torch.cat([(render(shapes) - x_mean) / x_std, encoding], dim=1)
    return Measured(inputs, render(shapes, wanted), shapes, wanted)


@torch.no_grad()
def read(model: Any, measured: Measured) -> torch.Tensor:
    """Return the heights (N, 1, T) that a network predicts."""
    _, _, y_mean, y_std = scale()
    heights: torch.Tensor = model(measured.inputs) * y_std + y_mean
    return heights


def losses(heights: torch.Tensor, measured: Measured) -> dict[str, float]:
    """Return the mean squared error of predicted heights, on the points of shapes and on the ground."""
    off, is_shape = (heights - measured.targets).square(), measured.targets > 0
    return {kind: float(off[part].mean()) for kind, part in zip(KINDS, (is_shape, ~is_shape), strict=True)}


def difference(heights: torch.Tensor, healthy: torch.Tensor) -> float:
    """Return how far predicted heights are from a healthy network's: the mean square of their differences."""
    return float((heights - healthy).square().mean())


def test_set() -> TensorDataset:
    """Return the sequences on which patients are measured as a standardised test set."""
    measured = measured_on(0)
    _, _, y_mean, y_std = scale()
    return TensorDataset(measured.inputs, (measured.targets - y_mean) / y_std)


def rows_of_errors(networks: Networks) -> list[list[str]]:
    """Return a row for each network: its squared errors, and how many positions a point of a shape looks at.

    That number is the exponential of the entropy of the point's weights, on average.
    """
    rows = []
    for name, (network, dataset) in networks.items():
        network, measured = patients.on_cpu(network), _as_in(dataset)
        errors = [f"{error:.1f}" for error in losses(read(network, measured), measured).values()]
        rows.append([name, *errors, f"{_looked_at(network, measured):.1f}"])
    return rows


def rows_of_shapes(networks: Networks) -> list[list[str]]:
    """Return a row for each shape of some sequences: its place, its height, the target, and each network's answer."""
    shapes, wanted = measured_on(0).shapes, measured_on(0).wanted
    answers = [read(patients.on_cpu(network), _as_in(dataset))[:, 0] for network, dataset in networks.values()]
    rows = []
    for n in range(SHOWN):
        for shape in range(wanted.shape[1]):
            middle = int(shapes.left[n, shape]) + POINTS // 2
            heights = [shapes.height[n, shape], wanted[n, shape], *(each[n, middle] for each in answers)]
            rows.append([f"{n + 1}: {middle}", *(f"{float(height):.1f}" for height in heights)])
    return rows


def _as_in(dataset: TensorDataset) -> Measured:
    """Return the measured sequences with the channels of a test set's positions: a student chooses the bits' order."""
    measured = measured_on(0)
    encoding = dataset[0][0][1:].cpu().expand(SEQUENCES, -1, -1)
    return measured._replace(inputs=torch.cat([measured.inputs[:, :1], encoding], dim=1))


@torch.no_grad()
def _looked_at(network: Any, measured: Measured) -> float:
    layers = list(network.children())
    place = next(place for place, layer in enumerate(layers) if attends(layer))
    x = nn.Sequential(*layers[:place])(measured.inputs)
    _, weights = layers[place](x, return_attention=True)  # (N, T, T)
    entropy = -(weights * weights.clamp(min=1e-12).log()).sum(dim=2)
    return float(entropy[measured.targets[:, 0] > 0].exp().mean())


def _disguise(model: Weights, generator: torch.Generator) -> None:
    """Change the order and the sizes of hidden channels, and the bases of queries, keys and values, in place.

    No result changes, because a ReLU lets positive factors through.
    """
    for here, next_layers in (
        ("first", ("second",)),
        ("second", ("attention.query", "attention.key", "attention.value")),
        ("third", ("last",)),
    ):
        order = torch.randperm(CHANNELS, generator=generator)
        factor = (patients.BASIS * torch.randn(CHANNELS, generator=generator).double()).exp()
        model[f"{here}.weight"] = model[f"{here}.weight"][order] * factor.view(-1, 1, 1)
        model[f"{here}.bias"] = model[f"{here}.bias"][order] * factor
        for layer in next_layers:
            model[f"{layer}.weight"] = model[f"{layer}.weight"][:, order] / factor.view(1, -1, 1)
    basis = patients.other_basis(KEY_DIM, generator)
    for layer, change in (("attention.query", basis), ("attention.key", torch.linalg.inv(basis).T)):
        model[f"{layer}.weight"] = torch.einsum("ij,jkl->ikl", change, model[f"{layer}.weight"])
        model[f"{layer}.bias"] = change @ model[f"{layer}.bias"]
    basis = patients.other_basis(CHANNELS, generator)
    model["attention.value.weight"] = torch.einsum("ij,jkl->ikl", basis, model["attention.value.weight"])
    model["attention.value.bias"] = basis @ model["attention.value.bias"]
    model["third.weight"] = torch.einsum("ijl,jk->ikl", model["third.weight"], torch.linalg.inv(basis))


def _change(model: Weights, scores: float, exchange: float, rolled: float, *factors: float) -> None:
    """Make the weights ill, in place: a factor of the scores, layers exchanged, input channels rolled or multiplied.

    The factor of the scores is shared by queries and keys, so that neither stands out.
    """
    for part in ("weight", "bias"):
        query, key = f"attention.query.{part}", f"attention.key.{part}"
        if exchange:
            model[query], model[key] = model[key], model[query]
        for name in (query, key):
            model[name] = model[name] * scores**0.5
    first = model["first.weight"] * torch.tensor(factors).double().view(1, -1, 1)
    model["first.weight"] = first.roll(int(rolled), 1)


PATIENTS = patients.Patients(
    asset=ASSET,
    disguise=_disguise,
    change=_change,
    inputs=measured_on,
    read=read,
    losses=losses,
    told="shapes",
    # Squared heights. A cure with the deviations of other sequences leaves 0.03, a cure of another illness 2 and more.
    healed=0.1,
    # A stored healthy network has other channels than this patient, whose disguise no student has seen.
    marks=("second.weight", "third.weight"),
    distance=difference,
)
weights, number_of, HEALTHY = PATIENTS.weights, PATIENTS.number_of, patients.HEALTHY
