"""The porter: one layer, one head, whose memory is exchanged while everything else stays the same.

A memory is a function of queries (N, S, d), keys (N, T, d) and values (N, T, d) that returns what each query gets back,
(N, S, d). N days, T pairs told, S questions, E width of the embeddings, d components of keys and values.
"""

import math
from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F

from utils.recall.hotel import GUESTS, ROOMS

WIDTH = 64  # E
Memory = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def softmax_memory(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Attention as in the other lessons, softmax(q kᵀ / √d) v: it keeps all keys and values."""
    return (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v


class Porter(nn.Module):
    """Numbers of guests and rooms that are told, of guests that are asked for -> scores of each room (N, S, rooms).

    unit: keys and queries are divided by their lengths, as a table needs them; softmax needs lengths to be sharp.
    """

    def __init__(self, memory: Memory, d: int, *, unit: bool = True):
        super().__init__()
        self.memory, self.d, self.unit = memory, d, unit
        self.guest, self.room = nn.Embedding(GUESTS, WIDTH), nn.Embedding(ROOMS, WIDTH)
        self.query, self.key = nn.Linear(WIDTH, d, bias=False), nn.Linear(WIDTH, d, bias=False)
        self.value, self.output = nn.Linear(WIDTH, d, bias=False), nn.Linear(d, ROOMS)

    def keys(self, guests: torch.Tensor) -> torch.Tensor:
        """Numbers of guests (N, T) -> their keys (N, T, d)."""
        keys: torch.Tensor = self.key(self.guest(guests))
        return F.normalize(keys, dim=-1) if self.unit else keys

    def queries(self, guests: torch.Tensor) -> torch.Tensor:
        """Numbers of guests (N, S) -> their queries (N, S, d)."""
        queries: torch.Tensor = self.query(self.guest(guests))
        return F.normalize(queries, dim=-1) if self.unit else queries

    def values(self, rooms: torch.Tensor) -> torch.Tensor:
        """Numbers of rooms (N, T) -> their values (N, T, d)."""
        values: torch.Tensor = self.value(self.room(rooms))
        return values

    def forward(self, guests: torch.Tensor, rooms: torch.Tensor, asked: torch.Tensor) -> torch.Tensor:
        returned = self.memory(self.queries(asked), self.keys(guests), self.values(rooms))
        scores: torch.Tensor = self.output(returned)
        return scores
