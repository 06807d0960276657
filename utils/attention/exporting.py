"""The networks of the lesson `attention` as its explorer's page reads them: layers, weights, scale, and a probe.

The page can compute a series of convolutions of stride 1 that keep the length, ReLUs, and one attention layer with the
convolutions `query`, `key` and `value`. Whether the student's layer computes the lesson's formula is not tested here:
the page compares its own result with the probe's output.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.alive.weights import CannotExport, exact, packed, unknown
from utils.attention.sequences import generate
from utils.common.devices import device_of
from utils.common.messages import N_

# The lesson's training set: its mean and deviation turn standardised numbers back into heights.
TRAINING, ALL, SEED = 50_000, 51_000, 0
# Largest difference of a data set's baseline (where no shape is) from the lesson's, in standard deviations; another
# seed moves it by 0.01.
SAME = 0.05

Scale = dict[str, dict[str, float]]
Layers = list[dict[str, Any]]


@torch.no_grad()
def exported(name: str, model: nn.Module, dataset: TensorDataset) -> dict[str, Any]:
    """Return a network for the page; `dataset` is its test set of (C, T) and (1, T), standardised as in the lesson.

    Raises: CannotExport for a layer, or a data set, that does not have the lesson's form.
    """
    x, _ = dataset[0]
    layers, tensors = layers_of(model)
    probe = model.eval()(x[None].to(device_of(model)))
    return {
        "name": name,
        "task": task_of(name),
        "layers": layers,
        "weights": packed(tensors),
        "scale": scale_of(dataset, task_of(name)),
        "encoding": exact(x[1:]),  # the same in each sequence
        "probe": {"input": exact(x), "output": exact(probe)},
    }


def task_of(name: str) -> int:
    """Return the task, 1 or 2, with which the name of a network begins: "task 2: with position"."""
    return 2 if name.partition(":")[0].strip().endswith("2") else 1


def layers_of(model: nn.Module) -> tuple[Layers, list[torch.Tensor]]:
    """Return a network's layers in their order, and their weights. Raises: CannotExport."""
    layers: Layers = []
    tensors: list[torch.Tensor] = []
    for layer in _flat(model):
        if isinstance(layer, nn.ReLU):
            layers.append({"kind": "relu"})
        elif isinstance(layer, nn.Conv1d):
            layers.append({"kind": "conv", **_conv(layer, tensors)})
        elif attends(layer):
            query, _, value = (_conv(getattr(layer, part), tensors) for part in ("query", "key", "value"))
            layers.append({"kind": "attention", "in": query["in"], "key": query["out"], "out": value["out"]})
        else:
            raise unknown(layer)
    return layers, tensors


def attends(layer: nn.Module) -> bool:
    """Return whether a layer has the three convolutions of the lesson's attention."""
    parts = [getattr(layer, name, None) for name in ("query", "key", "value")]
    return all(isinstance(part, nn.Conv1d) and part.kernel_size == (1,) for part in parts)


def _flat(model: nn.Module) -> Iterator[nn.Module]:
    for layer in model.children():
        if isinstance(layer, nn.Sequential):
            yield from _flat(layer)
        else:
            yield layer


def _conv(layer: nn.Conv1d, tensors: list[torch.Tensor]) -> dict[str, int]:
    """Return a convolution's sizes, and append its weights. Raises: CannotExport unless it keeps the length."""
    kernel = layer.kernel_size[0]
    plain = (layer.stride, layer.dilation, layer.groups, layer.padding_mode) == ((1,), (1,), 1, "zeros")
    if not plain or layer.bias is None or layer.padding not in (((kernel - 1) // 2,), "same") or kernel % 2 == 0:
        raise unknown(layer)
    tensors += [layer.weight, layer.bias]
    return {"in": layer.in_channels, "out": layer.out_channels, "kernel": kernel}


def scale_of(dataset: TensorDataset, task: int) -> Scale:
    """Return mean and standard deviation of the heights: `x` of the inputs, `y` of a task's targets.

    Raises: CannotExport if the data set was standardised in another way than the lesson's.
    """
    x, y = dataset[:]
    (x_mean, x_std), (y_mean, y_std) = _heights(task)
    baseline = float(x[:, 0].min())  # where no shape is, at height 0
    if abs(baseline + x_mean / x_std) > SAME or y.shape[1] != 1:
        raise CannotExport(
            N_("The explorer cannot show this network in the page: its test set is not standardised as in section 2.")
        )
    return {"x": {"mean": x_mean, "std": x_std}, "y": {"mean": y_mean, "std": y_std}}


@cache
def _heights(task: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return mean and deviation of the heights in the lesson's training set: of the inputs, and of a task's targets."""
    inputs, targets = (part[:TRAINING] for part in generate(ALL, task, SEED))
    return (float(inputs.mean()), float(inputs.std())), (float(targets.mean()), float(targets.std()))
