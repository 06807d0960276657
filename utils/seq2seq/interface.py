"""The methods that every translator has, and the arguments of the functions that students write.

N sentences, T source words, S target words, V vocabulary, G width of the decoder's state.
"""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import torch


class TranslationModel(Protocol):
    """A model that reads a batch of sentences once, then writes one word of every translation at each step."""

    def start(self, source: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, Any]:
        """source (N, T), mask (N, T) -> hidden (N, G), and a memory, which only `step` reads."""

    def step(
        self, word: torch.Tensor, hidden: torch.Tensor, memory: Any
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """The word before (N,), hidden (N, G) -> logits (N, V), hidden (N, G), weights (N, T) or None."""

    def parameters(self) -> Iterator[torch.nn.Parameter]:
        """Return the parameters that training changes."""

    def eval(self) -> Any:
        """Switch training mode off."""


class Attention(Protocol):
    """The attention of a decoder."""

    def keys(self, states: torch.Tensor) -> torch.Tensor:
        """Return the keys (N, T, ...) of states (N, T, D); they are computed once per sentence."""

    def __call__(
        self, query: torch.Tensor, states: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """query (N, G), states (N, T, D), their keys, mask (N, T) -> context (N, D), weights (N, T)."""


# decode(model, source (N, T), source_mask (N, T), max_length) -> words (N, S), weights (N, S, T) or None
Decode = Callable[[Any, torch.Tensor, torch.Tensor, int], tuple[torch.Tensor, torch.Tensor | None]]
# decode_with_teacher(model, source (N, T), source_mask (N, T), target (N, S), ratio) -> logits (N, S, V)
DecodeWithTeacher = Callable[[Any, torch.Tensor, torch.Tensor, torch.Tensor, float], torch.Tensor]
# loss(logits (N, S, V), target (N, S)) -> a number
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
# step(model, optimizer, compute_loss) makes one update -> the loss
Step = Callable[[Any, torch.optim.Optimizer, Callable[[], torch.Tensor]], float]
