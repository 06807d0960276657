"""Memories of random vectors: what a table holds before any training."""

from collections.abc import Callable, Sequence

import torch
from torch.nn.functional import normalize

from utils.recall.hotel import ROOMS
from utils.recall.training import LENGTHS, Curve

QUESTIONS = 4000  # at each number of guests, about
AGED = 64  # guests that a fading table is told
DAYS = 400  # on which it is told as many

Answers = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
Write = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
Read = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def drawn(count: int, pairs: int, d: int, generator: torch.Generator) -> tuple[torch.Tensor, ...]:
    """Return keys (N, T, d), rooms (N, T) and the rooms' vectors (V, d); all vectors have length 1."""
    keys = normalize(torch.randn(count, pairs, d, generator=generator), dim=-1)
    rooms = torch.randint(ROOMS, (count, pairs), generator=generator)
    return keys, rooms, normalize(torch.randn(ROOMS, d, generator=generator), dim=-1)


@torch.no_grad()
def shares(answers: Answers, d: int, lengths: Sequence[int] = LENGTHS, seed: int = 0) -> Curve:
    """Return the share of right answers at each number of guests, over several draws of the rooms' vectors."""
    generator = torch.Generator().manual_seed(seed)
    found = {}
    for pairs in lengths:
        draws = [drawn(max(2, QUESTIONS // pairs // 8), pairs, d, generator) for _ in range(8)]
        right = [(answers(*draw) == draw[1]).float().mean() for draw in draws]
        found[pairs] = float(torch.stack(right).mean())
    return found


@torch.no_grad()
def tables(write: Write, d: int, after: Sequence[int], seed: int = 0) -> dict[int, torch.Tensor]:
    """Return one table (d, d) by the number of pairs that have been written into it."""
    keys, rooms, words = drawn(1, max(after), d, torch.Generator().manual_seed(seed))
    table, seen = torch.zeros(1, d, d), {}
    for place in range(max(after)):
        table = write(table, keys[:, place], words[rooms[:, place]])
        if place + 1 in after:
            seen[place + 1] = table[0]
    return seen


@torch.no_grad()
def shares_by_age(write: Write, read: Read, d: int = 16, seed: int = 0) -> list[float]:
    """Return the share of right answers by how many guests were told after the one who is asked for."""
    keys, rooms, words = drawn(DAYS, AGED, d, torch.Generator().manual_seed(seed))
    table = torch.zeros(DAYS, d, d)
    for place in range(AGED):
        table = write(table, keys[:, place], words[rooms[:, place]])
    right = (read(table, keys) @ words.T).argmax(dim=-1) == rooms
    return [float(share) for share in right.float().mean(dim=0).flip(0)]
