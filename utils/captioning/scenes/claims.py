"""What captions claim and what scenes hold, as rows of numbers that can be compared column by column.

What: a row has a number for each thing that a caption can speak of, `COLUMNS`: 1 means the column's first word, 2 its
second, and so on; 0 means that a caption says nothing there, or that a scene lacks it, such as a second thing.
Why: in the lesson `captioning` students write what makes a caption true; the grammar's part of that, reading a
sentence, is given.
"""

from collections.abc import Iterable, Sequence

import torch

from utils.captioning.scenes.dataset import scene_of
from utils.captioning.scenes.grammar import read
from utils.captioning.scenes.scene import BACKGROUNDS, COLOURS, PLACES, RELATIONS, SHAPES, SIZES, Scene
from utils.common.messages import N_
from utils.common.printing import print_table

# Each column's name and the words that its numbers stand for.
COLUMNS = (
    (N_("size of the first thing"), tuple(SIZES)),
    (N_("its colour"), tuple(COLOURS)),
    (N_("its shape"), SHAPES),
    (N_("size of the second thing"), tuple(SIZES)),
    (N_("its colour"), tuple(COLOURS)),
    (N_("its shape"), SHAPES),
    (N_("the first is … the second"), RELATIONS),
    (N_("place"), tuple(PLACES)),
    (N_("background"), tuple(BACKGROUNDS)),
)


def claims_of(captions: Sequence[str]) -> torch.Tensor:
    """Return what each caption claims, (N, 9) int64; a row of zeros for a caption that is not a sentence."""
    return _numbered(map(read, captions))


def facts_of(urls: Sequence[str]) -> torch.Tensor:
    """Return what each scene has, (N, 9) int64. Raises: DataError for an address without a scene."""
    return _numbered(map(scene_of, urls))


def print_claims(caption: str, url: str) -> None:
    """Print a caption, and below it a table of what it claims and what its scene holds, as words and numbers."""
    print(caption)
    claims, facts = claims_of([caption])[0].tolist(), facts_of([url])[0].tolist()
    rows = [
        (name, *(f"{words[number - 1]} {number}" if number else "0" for number in (claimed, fact)))
        for (name, words), claimed, fact in zip(COLUMNS, claims, facts, strict=True)
    ]
    print_table(rows, heads=("", N_("the caption claims"), N_("the scene has")))


def _numbered(scenes: Iterable[Scene | None]) -> torch.Tensor:
    rows = []
    for scene in scenes:
        spoken = [] if scene is None else _words(scene)
        rows.append([1 + words.index(word) if word else 0 for word, (_, words) in zip(spoken, COLUMNS, strict=False)])
        rows[-1] += [0] * (len(COLUMNS) - len(spoken))
    return torch.tensor(rows, dtype=torch.int64).reshape(-1, len(COLUMNS))


def _words(scene: Scene) -> list[str | None]:
    """Return the word of each column, None or "" where there is none."""
    words: list[str | None] = []
    for number in range(2):
        thing = scene.things[number] if number < len(scene.things) else None
        words += [thing.size, thing.colour, thing.shape] if thing else [None] * 3
    return [*words, scene.relation, scene.place, scene.background]
