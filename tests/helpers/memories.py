"""Untrained porters of the lesson `recall` to explore, each with a memory written otherwise than in the lesson."""

import math
from collections.abc import Callable
from typing import Any

import torch

from utils.alive.explorer import Explorer
from utils.recall import explorer
from utils.recall.model import Porter

Memory = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def softmax_memory(q, k, v):
    """Return attention, written with einsum."""
    return torch.einsum("nsd,ntd->nst", q, k).div(math.sqrt(q.shape[-1])).softmax(-1) @ v


def table_memory(q, k, v):
    """Return what a table that adds brings back."""
    return torch.einsum("nsd,ntd,nte->nse", q, k, v)


def delta_memory(q, k, v, strength=1.0):
    """Return what a table that corrects itself brings back: each key's old content is projected out first."""
    table = q.new_zeros(len(k), k.shape[-1], v.shape[-1])
    for key, value in zip(k.unbind(1), v.unbind(1), strict=True):
        outer = torch.einsum("nd,ne->nde", key, key)
        table = table - strength * outer @ table + strength * torch.einsum("nd,ne->nde", key, value)
    return q @ table


MEMORIES: dict[str, Memory] = {"softmax": softmax_memory, "table": table_memory, "delta": delta_memory}


def porter(kind: str, memory: Memory | None = None, d: int = 8) -> Porter:
    """Return an untrained porter that knows its guests, and whose answers differ clearly."""
    torch.manual_seed(len(kind))
    made = Porter(memory or MEMORIES[kind], d, unit=kind != "softmax")
    with torch.no_grad():
        made.key.weight.mul_(6)
        made.query.weight.copy_(made.key.weight)  # so that a guest's query is like the guest's key, as after training
        made.output.weight.mul_(6)
    return made.eval()


def explored_memories(**memories: Any) -> Explorer:
    """Return the explorer of three untrained porters; `memories` replace those of some kinds."""
    return explorer.explore(**{kind: porter(kind, memories.get(kind)) for kind in MEMORIES})
