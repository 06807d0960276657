"""Modules in place of the parts of a GPT, so simple that their results can be worked out by hand."""

import copy
from typing import Any

import torch
from torch import nn

from utils.gpt.stand_ins import StandInHeads


def quarter_turns(x: torch.Tensor, start: int = 0) -> torch.Tensor:
    """In place of `rotate`: a quarter turn of each pair for each place, (..., S, d) -> (..., S, d).

    Like the part it replaces, it is a rotation: a right answer may scale before it or after it.
    """
    places = torch.arange(start, start + x.shape[-2], device=x.device) % 4
    cos, sin = (torch.tensor(turn, dtype=x.dtype)[places].unsqueeze(1) for turn in ([1, 0, -1, 0], [0, 1, 0, -1]))
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)


def nearest_to_one(scores: torch.Tensor) -> torch.Tensor:
    """In place of a draw: the letter whose score is nearest to 1, (N, V) -> (N,)."""
    return (scores - 1).abs().argmin(dim=-1)


def silent(attention: StandInHeads, heads: list[int]) -> StandInHeads:
    """In place of `without_heads`: a copy in which the numbers of `heads` are 0."""
    other = copy.deepcopy(attention)
    with torch.no_grad():
        for head in heads:
            other.heads[head] = 0
    return other


@torch.no_grad()
def sums_of_heads(model: Any) -> torch.Tensor:
    """In place of the heads' scores, (2, H): the first layer's numbers, and the second's times the first's sum."""
    first, second = (block.attention.heads for block in model.blocks)
    return torch.stack([first, second * first.sum()])


class AddsUp(nn.Module):
    """The sum over all positions so far, (N, S, E) -> (N, S, E)."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.cumsum(dim=1)


class Plus(nn.Module):
    """x plus a number."""

    def __init__(self, number: float):
        super().__init__()
        self.number = number

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.number


class Product(Plus):
    """x times a number."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.number


class LastDigit(nn.Module):
    """Letters (N, S) -> scores (N, S, 10): v − s of letter v; s is the last digit of the sum of all so far."""

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        return torch.arange(10) - (letters.cumsum(dim=1) % 10).unsqueeze(-1).to(torch.get_default_dtype())
