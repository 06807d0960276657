"""Where a model computes, and on how many threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import torch
from torch import nn


class HasParameters(Protocol):
    """A module of torch, or whatever else tells its parameters as one does."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """What is learned."""


def device_of(model: HasParameters) -> torch.device:
    """Return the device of the model's parameters; the CPU for a model that has none."""
    return next((parameter.device for parameter in model.parameters()), torch.device("cpu"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread: matrices this small gain little from two, and lose much where others use the machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def no_denormals() -> Iterator[None]:
    """Round numbers below 1e-38 to zero, on this thread: a processor takes a hundred times as long for them.

    Training meets them: an optimiser's memory of a gradient that has become zero (a ReLU that is dead, a word that does
    not come again) shrinks with every step.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
