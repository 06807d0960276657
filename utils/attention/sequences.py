"""Sequences of two triangles and two rectangles, and the sequences into which a network should turn them.

The toy problem of François Fleuret's deep learning course (https://fleuret.org/dlc/, lecture 13.2, "Attention
mechanisms"), which shows in minutes what attention is good for. A sequence has `LENGTH` points and four shapes of equal
width that do not overlap. Its target has the same shapes at the same places, with other heights:

* task 1: both triangles get the triangles' mean height, both rectangles the rectangles';
* task 2: the two left shapes get their mean height, the two right ones theirs.
"""

from typing import NamedTuple

import torch

from utils.common.errors import WorkbookError
from utils.common.messages import N_

LENGTH = 100  # points of a sequence; a convolution of a few layers sees about a sixth of them
SHAPES = 4  # two triangles and two rectangles
WIDTH = 8  # points of a shape
LOWEST, HIGHEST = 2.0, 28.0  # heights are drawn uniformly between these two
# The points of a shape of height 1.
TRIANGLE = (0.25, 0.5, 0.75, 1.0, 1.0, 0.75, 0.5, 0.25)
RECTANGLE = (1.0,) * WIDTH


class Shapes(NamedTuple):
    """The shapes of N sequences, from left to right; each field is of shape (N, 4)."""

    left: torch.Tensor  # position of the first point, int64
    is_rectangle: torch.Tensor  # bool; each sequence has two rectangles and two triangles
    height: torch.Tensor  # float


def draw_shapes(number: int, generator: torch.Generator) -> Shapes:
    """Draw the shapes of `number` sequences.

    All placements of four shapes without overlap are equally likely, as if four places were drawn again until none
    overlap. Each shape forbids WIDTH - 1 places to the shapes on its right. Without these places, a placement is a
    choice of four different numbers, which is drawn at once.
    """
    free = LENGTH - SHAPES * (WIDTH - 1)
    chosen = torch.rand(number, free, generator=generator).topk(SHAPES).indices.sort(dim=1).values
    left = chosen + (WIDTH - 1) * torch.arange(SHAPES)
    is_rectangle = torch.rand(number, SHAPES, generator=generator).argsort(dim=1) < SHAPES // 2
    height = LOWEST + (HIGHEST - LOWEST) * torch.rand(number, SHAPES, generator=generator)
    return Shapes(left, is_rectangle, height)


def render(shapes: Shapes, height: torch.Tensor | None = None) -> torch.Tensor:
    """Return the sequences (N, 1, T) that show `shapes`, with the heights (N, 4) in place of their own if given."""
    height = shapes.height if height is None else height
    triangle, rectangle = torch.tensor(TRIANGLE), torch.tensor(RECTANGLE)
    outline = torch.where(shapes.is_rectangle[:, :, None], rectangle, triangle)  # (N, 4, WIDTH)
    place = shapes.left[:, :, None] + torch.arange(WIDTH)  # (N, 4, WIDTH)
    sequences = torch.zeros(len(height), LENGTH)
    sequences.scatter_(1, place.flatten(1), (height[:, :, None] * outline).flatten(1))
    return sequences[:, None]


def mean_height_by_kind(shapes: Shapes) -> torch.Tensor:
    """Return the heights (N, 4) of task 1: each shape gets the mean of the two of its kind."""
    of_rectangles = shapes.is_rectangle.float()
    rectangles = (shapes.height * of_rectangles).sum(1, keepdim=True) / 2
    triangles = (shapes.height * (1 - of_rectangles)).sum(1, keepdim=True) / 2
    return torch.where(shapes.is_rectangle, rectangles, triangles)


def mean_height_by_side(shapes: Shapes) -> torch.Tensor:
    """Return the heights (N, 4) of task 2: each shape gets the mean of the two on its side."""
    pairs: torch.Tensor = shapes.height.unflatten(1, (2, 2))  # shapes are ordered from left to right
    return pairs.mean(2, keepdim=True).expand_as(pairs).flatten(1)


def kind_and_slot(shapes: Shapes) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the kind and the slot of each position of N sequences, each (N, T), int64.

    The kind is 0 for the ground, 1 for a triangle and 2 for a rectangle; the slot is the number of a point within its
    shape, from 0 at the left, and 0 on the ground.
    """
    slots = torch.arange(WIDTH)
    place = (shapes.left[:, :, None] + slots).flatten(1)  # (N, 4 WIDTH)
    kinds = 1 + shapes.is_rectangle.long()[:, :, None].expand(-1, -1, WIDTH).flatten(1)  # (N, 4 WIDTH)
    ground = torch.zeros(len(place), LENGTH, dtype=torch.long)
    return ground.scatter(1, place, kinds), ground.scatter(1, place, slots.repeat(len(place), SHAPES))


TASKS = {1: mean_height_by_kind, 2: mean_height_by_side}


def generate(number: int, task: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return `number` sequences and their targets, each (N, 1, T), heights in the sequences' own units.

    Raises: WorkbookError when `task` is neither 1 nor 2 or `number` is not positive.
    """
    if task not in TASKS:
        raise WorkbookError(N_("The tasks are 1 (mean by kind) and 2 (mean by side), not {task!r}."), task=task)
    if number < 1:
        raise WorkbookError(N_("The number of sequences must be 1 or more, not {number}."), number=number)
    shapes = draw_shapes(number, torch.Generator().manual_seed(seed))
    return render(shapes), render(shapes, TASKS[task](shapes))
