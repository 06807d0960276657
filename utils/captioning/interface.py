"""The methods and attributes that training, search and figures need of a captioning model of any class.

N batch, S caption length, T memory length, D feature width, E width, V vocabulary.
"""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

from utils.captioning.cache import LayerCache

Layer = Callable[[torch.Tensor], torch.Tensor]


def places_of(memory: torch.Tensor) -> torch.Tensor:
    """Return a memory (N, T, E), or (N, 1, T, E), as (N, T, E).

    A `forward` gives the memory of one vector, (N, E), an axis of length 1 with `unsqueeze(1)`; a memory from a grid,
    (N, T, E), has then an axis too many.
    """
    return memory.flatten(1, -2) if memory.ndim > 3 else memory


class Decoder(Protocol):
    """The stack of layers between words and scores."""

    @property
    def layers(self) -> nn.ModuleList:
        """The layers, the first of them next to the words."""

    def step(self, new: torch.Tensor, memory: torch.Tensor, caches: list[LayerCache]) -> torch.Tensor:
        """The next position through every layer: (N, 1, E), memory (N, T, E) -> (N, 1, E)."""


class Captioner(Protocol):
    """A `CaptioningModel` with any `forward`."""

    training: bool
    _null: int
    _start: int | None
    _end: int | None

    @property
    def embedding(self) -> Layer:
        """Words (N, S) -> (N, S, E)."""

    @property
    def positional_encoding(self) -> Layer:
        """(N, S, E) -> (N, S, E)."""

    @property
    def visual_projection(self) -> nn.Linear:
        """Features (N, D) -> (N, E)."""

    @property
    def transformer(self) -> Decoder:
        """The decoder's layers."""

    @property
    def output(self) -> nn.Linear:
        """(N, S, E) -> scores (N, S, V)."""

    def __call__(self, features: torch.Tensor, captions: torch.Tensor) -> torch.Tensor:
        """Features (N, D) and words (N, S) -> scores of each next word (N, S, V)."""

    def sample(self, features: Any, max_length: int = 30, beam_width: int = 1, *, cached: bool = True) -> np.ndarray:
        """Features (N, D) -> words (N, max_length) int32."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """Return the parameters that training changes."""

    def train(self, mode: bool = True) -> Any:
        """Switch training mode on, or off."""

    def eval(self) -> Any:
        """Switch training mode off; return the model."""
