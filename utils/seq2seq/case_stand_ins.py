"""Modules in place of the lesson's other parts, so simple that their results can be worked out by hand."""

from typing import Any

import torch
from torch import nn

from utils.seq2seq.vocabulary import EOS_token


class Counting(nn.Module):
    """A translator whose most likely word after SOS is 3, after 3 is 4, …, and EOS after as many steps as words read.

    In training mode the logits are in reverse order.
    """

    def __init__(self, V: int, looks: bool = True):
        super().__init__()
        self.V, self.looks = V, looks
        self.fed: list[list[int]] = []  # the words of each step
        self.scale = nn.Parameter(torch.ones(()))

    def start(self, source: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """source (N, T), mask (N, T) -> hidden (N, 1), the number of steps made; memory: the mask."""
        return torch.zeros(len(source), 1), mask

    def step(self, word: torch.Tensor, hidden: torch.Tensor, memory: torch.Tensor) -> Any:
        """word (N,), hidden (N, 1), memory (N, T) -> logits (N, V), hidden (N, 1), weights (N, T) or None."""
        if word.dim() != 1:
            raise ValueError(f"expected the previous words of N sentences, (N,), got the shape {tuple(word.shape)}")
        self.fed.append(word.tolist())
        made = hidden + self.scale
        following = torch.where(word < 3, 3 + word, word + 1).clamp(max=self.V - 1)
        following = torch.where(made[:, 0] >= memory.sum(dim=1), EOS_token, following)
        logits = nn.functional.one_hot(following, self.V) * made
        places = torch.arange(memory.shape[1], dtype=hidden.dtype)
        weights = memory * (made.detach() + places) if self.looks else None
        return (logits.flip(1) if self.training else logits), made, weights


class Summed(nn.Module):
    """An attention whose weights are sums of query and keys, 0 where the mask hides; the context adds up the states.

    The context is the weights times the states, as everywhere, because a right answer may compute it so by itself.
    """

    def keys(self, states: torch.Tensor) -> torch.Tensor:
        """(N, T, D) -> (N, T, D)."""
        return 2 * states

    def forward(
        self, query: torch.Tensor, states: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """(N, G), (N, T, D), (N, T, D), (N, T) -> context (N, D), weights (N, T)."""
        weights = (keys.sum(dim=2) + query.sum(dim=1, keepdim=True)) * mask
        return torch.einsum("nt,ntd->nd", weights, states), weights


class RecordingCell(nn.GRUCell):
    """A cell that records its inputs; the new state is their sum, plus 0, 1, …"""

    def forward(self, input: torch.Tensor, hx: torch.Tensor | None = None) -> torch.Tensor:
        """(N, E + D), (N, G) -> (N, G)."""
        self.noted = input.detach().clone()
        total = input.sum(dim=1) + (0 if hx is None else hx.sum(dim=1))
        return total.unsqueeze(1) + torch.arange(self.hidden_size, dtype=total.dtype)


class RecordingOutput(nn.Sequential):
    """A last layer that records its input; the two scores are the input's sum, and one more."""

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """(N, any) -> (N, 2)."""
        self.noted = input.detach().clone()
        total = input.sum(dim=1, keepdim=True)
        return torch.cat([total, total + 1], dim=1)
