"""A hotel whose porter is told who lives where, and is asked afterwards: the data of the lesson `recall`.

A row of a batch is one day: n guests get a room each, and every guest is asked for once, in another order. The task is
known as associative recall (Graves et al. 2014, https://arxiv.org/abs/1410.5401; Ba et al. 2016,
https://arxiv.org/abs/1610.06258). N days of a batch, T pairs that are told, S questions.
"""

from typing import NamedTuple

import torch

GUESTS = 512  # names; the porter knows all of them
ROOMS = 64  # several guests may share a room
SYLLABLES = (
    ("Ba", "De", "Fi", "Go", "Ku", "La", "Me", "No"),
    ("be", "do", "ga", "li", "mu", "pa", "ri", "so"),
    ("ka", "le", "mo", "na", "pi", "ra", "ti", "vo"),
)


class Day(NamedTuple):
    """What is told and what is asked in each row: numbers of guests and rooms.

    guests, rooms (N, T): the pairs, in the order in which they are told. asked, right (N, S): a guest, and the room.
    """

    guests: torch.Tensor
    rooms: torch.Tensor
    asked: torch.Tensor
    right: torch.Tensor


def name(guest: int) -> str:
    """Return the name of a guest, one of 512 of three syllables."""
    return SYLLABLES[0][guest // 64] + SYLLABLES[1][guest // 8 % 8] + SYLLABLES[2][guest % 8]


def days(pairs: int, count: int, generator: torch.Generator, *, moved: bool = False) -> Day:
    """Draw `count` days with `pairs` guests each.

    moved: half of the guests move into another room afterwards, so they are told twice; only they are asked for, and
    the room that was told last is right.
    """
    guests = torch.rand(count, GUESTS, generator=generator).topk(pairs).indices
    rooms = torch.randint(ROOMS, (count, pairs), generator=generator)
    if not moved:
        order = torch.rand(count, pairs, generator=generator).argsort(1)
        return Day(guests, rooms, guests.gather(1, order), rooms.gather(1, order))
    half = max(1, pairs // 2)
    # Another room: 1 to 63 rooms farther on, counted in a circle.
    later = (rooms[:, :half] + torch.randint(1, ROOMS, (count, half), generator=generator)) % ROOMS
    asked = guests[:, :half]
    return Day(torch.cat([guests, asked], 1), torch.cat([rooms, later], 1), asked, later)
