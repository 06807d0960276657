"""Modules in place of the lesson's other parts while one part is checked.

Why: a mistake in the rotation must not cost the marks of the attention. These modules have the shapes of the real ones,
and their results depend on all their inputs, but they neither rotate nor attend.
"""

import copy
from typing import Any

import torch
from torch import nn


def shifted(x: torch.Tensor, start: int = 0) -> torch.Tensor:
    """In place of `rotate`: multiplies by a pattern that depends on the position, (..., S, d) -> (..., S, d).

    It is linear in x, as a rotation is, so a factor may come before it or after it.
    """
    position = torch.arange(start, start + x.shape[-2], device=x.device, dtype=x.dtype).unsqueeze(1)
    turn = torch.arange(1, x.shape[-1] + 1, device=x.device, dtype=x.dtype)
    return x * (1.5 + torch.sin(1 + position) + torch.cos(position * turn))


def nearest_to_minus_one(logits: torch.Tensor) -> torch.Tensor:
    """In place of a draw: the letter whose score is nearest to −1, (N, V) -> (N,)."""
    return (logits + 1).abs().argmin(dim=-1)


class StandInNorm(nn.Module):
    """(..., E) -> (..., E): bounded, with a gain."""

    def __init__(self, width: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.gain * torch.sin(x)


class StandInMixer(nn.Module):
    """In place of attention: carries something from each position to later ones, (N, S, E) -> (N, S, E)."""

    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cos(x.cumsum(dim=1) @ self.weight)


class StandInThinker(nn.Module):
    """In place of the feed-forward part: works on each position alone, (N, S, E) -> (N, S, E)."""

    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sin(1 + x @ self.weight)


class StandInGPT(nn.Module):
    """Letters (N, S) -> scores (N, S, V) that depend on all letters so far, and on their order."""

    def __init__(self, num_letters: int):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(num_letters, num_letters))

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        position = torch.arange(1, letters.shape[1] + 1, device=letters.device, dtype=self.table.dtype)
        return (torch.sin(position).unsqueeze(1) * self.table[letters]).cumsum(dim=1)


class StandInHeads(nn.Module):
    """In place of an attention layer, where only its heads count: a number for each, (H,)."""

    def __init__(self, num_heads: int):
        super().__init__()
        self.heads = nn.Parameter(torch.ones(num_heads))


class StandInLayer(nn.Module):
    """In place of a block: its `attention` can be replaced."""

    def __init__(self, num_heads: int):
        super().__init__()
        self.attention: nn.Module = StandInHeads(num_heads)


class StandInLayers(nn.Module):
    """In place of a model of two layers with heads."""

    def __init__(self, num_heads: int):
        super().__init__()
        self.blocks = nn.ModuleList([StandInLayer(num_heads), StandInLayer(num_heads)])


def opposed(attention: StandInHeads, heads: list[int]) -> StandInHeads:
    """In place of `without_heads`: a copy of a layer in which the numbers of `heads` have the other sign."""
    other = copy.deepcopy(attention)
    with torch.no_grad():
        for head in heads:
            other.heads[head] *= -1
    return other


@torch.no_grad()
def scores_of_stand_ins(model: Any) -> torch.Tensor:
    """In place of the heads' scores, (L, H): those of the second layer depend on all heads of both layers."""
    first, second = (block.attention.heads for block in model.blocks)
    weights = torch.arange(1, len(first) + 1, device=first.device, dtype=first.dtype)
    return torch.stack([torch.sigmoid(first), torch.sigmoid(second + (weights * first).sum())])
