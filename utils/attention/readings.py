"""What the figures of the lesson `attention` show, in words: sequences, matrices, encodings.

A reader who does not see a figure gets its alternative text, to which these functions add what a sighted reader takes
from the picture. All return sentences without a full stop, in the notebook's language.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import torch

from utils.attention.sequences import WIDTH
from utils.common.messages import N_, grouped, listed, named, said

LEAST = 0.05  # a smaller share of a shape's weights is not read out
RUNS = 3  # stretches of ones that are read out, of a bit of an encoding


class Shape(NamedTuple):
    """A shape of a sequence: its first and its last position, and whether it is a rectangle."""

    first: int
    last: int
    is_rectangle: bool

    def __str__(self) -> str:
        values = {"a": self.first, "b": self.last}
        return (
            said(N_("rectangle at {a} to {b}"), **values)
            if self.is_rectangle
            else said(N_("triangle at {a} to {b}"), **values)
        )


def _runs(on: torch.Tensor) -> Iterator[tuple[int, int]]:
    """Yield the first and the last position of each stretch in which `on` (T,) is true."""
    position = 0
    for is_on, stretch in itertools.groupby(on.tolist()):
        length = len(list(stretch))
        if is_on:
            yield position, position + length - 1
        position += length


def shapes_in(x: torch.Tensor) -> list[Shape]:
    """Return the shapes of a sequence (T,), from left to right; those that touch are told apart by their width."""
    shapes = []
    for first, last in _runs(x > x.min()):
        for start in range(first, last + 1, WIDTH):
            piece = x[start : min(start + WIDTH, last + 1)]
            shapes.append(Shape(start, start + len(piece) - 1, bool(piece.max() == piece.min())))
    return shapes


def read_sequences(inputs: torch.Tensor, others: Mapping[str, torch.Tensor]) -> list[str]:
    """Read out, for each sequence (N, C, T), the heights of its shapes in channel 0 and in `others` (N, 1, T).

    others: by names, such as the target and predictions.
    """
    lines = []
    for number, x in enumerate(inputs[:, 0]):
        rows = {"input": x} | {name: values[number, 0] for name, values in others.items()}
        shapes = [
            named(
                str(shape),
                listed(f"{said(name)} {row[(shape.first + shape.last) // 2]:.3g}" for name, row in rows.items()),
            )
            for shape in shapes_in(x)
        ]
        lines.append(said(N_("Sequence {number}: {shapes}"), number=number + 1, shapes=grouped(shapes)))
        lines += [_farthest_off(name, row, rows["target"], x) for name, row in list(rows.items())[2:]]
    return lines


def _farthest_off(name: str, predicted: torch.Tensor, target: torch.Tensor, x: torch.Tensor) -> str:
    """Return at which shape of a sequence (T,) a prediction is farthest from its target, in the shape's middle."""
    middles = {str(shape): (shape.first + shape.last) // 2 for shape in shapes_in(x)}
    off = {shape: float((predicted[middle] - target[middle]).abs()) for shape, middle in middles.items()}
    shape, most = max(off.items(), key=lambda item: item[1])
    return said(N_("{name}: farthest off at {shape}, by {off:.3g}"), name=said(name), shape=shape, off=most)


def read_looks(attention: torch.Tensor, x: torch.Tensor) -> list[str]:
    """Read out where the rows of each shape of a sequence (T,), and those of the ground, look: attention (T, T).

    Of a shape, also where its first and its last position look most: at the same place, in a bright spot, or at two
    places, at the ends of a bright streak.
    """
    shapes = shapes_in(x)
    of_ground = x == x.min()
    places = {str(shape): torch.arange(shape.first, shape.last + 1) for shape in shapes}
    places[said(N_("ground"))] = torch.nonzero(of_ground).flatten()
    lines = []
    for name, rows in places.items():
        shares = {other: float(attention[rows][:, columns].sum() / len(rows)) for other, columns in places.items()}
        largest = sorted(shares.items(), key=lambda item: -item[1])
        seen = listed(f"{other} {share:.0%}" for other, share in largest if share >= LEAST)
        lines.append(named(name, seen))
    streaks = []
    for shape in shapes:
        streaks.append(listed(f"{row} → {int(attention[row].argmax())}" for row in (shape.first, shape.last)))
    i, j = divmod(int(attention.argmax()), len(attention))
    return [
        said(N_("Where the rows of each shape look: {looks}"), looks=grouped(lines)),
        said(N_("Where the first and the last position of each shape look most: {streaks}"), streaks=grouped(streaks)),
        said(N_("The largest weight is {weight:.2g}, of position {i} on {j}"), weight=float(attention.max()), i=i, j=j),
    ]


def read_bits(encoding: torch.Tensor) -> list[str]:
    """Read out where the bits of an encoding (B, T) are 1: the first stretches of each."""
    return [
        said(N_("Bit {number} is 1 at {runs}"), number=bit, runs=_read_runs(list(_runs(row > 0.5))))
        for bit, row in enumerate(encoding)
    ]


def _read_runs(runs: Sequence[tuple[int, int]]) -> str:
    texts = [f"{first}–{last}" if last > first else str(first) for first, last in runs[:RUNS]]
    return listed([*texts, "…"] if len(runs) > RUNS else texts or ["—"])
