"""A model's device, and how torch computes: the number of threads, and denormal numbers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import torch
from torch import nn


class HasParameters(Protocol):
    """A module of torch, or any object with the same method `parameters`."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """Return the parameters that training changes."""


def device_of(model: HasParameters) -> torch.device:
    """Return the device of the model's parameters; the CPU for a model without parameters."""
    return next((parameter.device for parameter in model.parameters()), torch.device("cpu"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread: a second thread gains little on small matrices, and costs much on a busy computer."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def no_denormals() -> Iterator[None]:
    """Round numbers below 1e-38 (denormals) to zero on this thread: arithmetic with them takes a hundred times as long.

    Training produces denormals: if a gradient has become zero (of a dead ReLU, of a word that does not occur again),
    the optimiser's running mean of this gradient shrinks with every step.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
