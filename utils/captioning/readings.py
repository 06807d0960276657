"""What the figures of the lesson `captioning` show, in words: scenes, an encoding, the maps of heads and of words.

A reader who does not see a figure gets its alternative text, to which these functions add what a sighted reader takes
from the picture. All return sentences without a full stop, in the notebook's language.
"""

from collections.abc import Sequence

import numpy as np

from utils.captioning.scenes.dataset import SCHEME, scene_of
from utils.captioning.scenes.grammar import judge
from utils.captioning.scenes.scene import Scene, drawn
from utils.common.messages import N_, grouped, listed, named, said

DISTANCES = (0, 1, 2, 5, 10, 20, 40)  # of two rows of an encoding whose dot product is read out


def read_untrue(urls: Sequence[str], captions: Sequence[str]) -> list[str]:
    """Read out the scenes whose caption is not true; a true caption says itself what is on its picture."""
    scenes = [(number, scene_of(url), caption) for number, (url, caption) in _numbered(urls, captions)]
    return [
        said(N_("On picture {number}: {things}, background {background}"), number=number, **_read_scene(scene))
        for number, scene, caption in scenes
        if judge(caption, scene) != "true"
    ]


def _numbered(urls: Sequence[str], captions: Sequence[str]) -> list[tuple[int, tuple[str, str]]]:
    pairs = enumerate(zip(urls, captions, strict=False), start=1)
    return [(number, (url, caption)) for number, (url, caption) in pairs if str(url).startswith(SCHEME)]


def _read_scene(scene: Scene) -> dict[str, str]:
    """Return a scene's things, with their places, and its background."""
    things = [
        said(
            N_("{thing}, {x} from the left, {y} from the top"),
            thing=said(
                N_("{size} {colour} {shape}"),
                size=said(thing.size),
                colour=said(thing.colour),
                shape=said(thing.shape),
            ),
            x=f"{at.x:.0%}",
            y=f"{at.y:.0%}",
        )
        for thing, at in zip(scene.things, drawn(scene)[1], strict=True)
    ]
    return {"things": grouped(things), "background": said(scene.background)}


def read_encoding(values: np.ndarray) -> list[str]:
    """Read out how often columns of an encoding (M, E) change their sign, and the dot products of its rows."""
    M, E = values.shape
    changes = (np.signbit(values[1:]) != np.signbit(values[:-1])).sum(axis=0)
    columns = sorted({0, 1, E // 4, E // 2, 3 * E // 4, E - 1} & set(range(E)))
    products = values @ values.T
    distances = [d for d in DISTANCES if d < M]
    return [
        said(
            N_("How often a column changes its sign: {columns}"),
            columns=listed(f"{column} → {changes[column]}" for column in columns),
        ),
        said(
            N_("Mean dot product of two rows by their distance: {distances}"),
            distances=listed(f"{d} → {np.diagonal(products, d).mean():.3g}" for d in distances),
        ),
    ]


def read_head(head: str, summary: str, weights: np.ndarray, words: Sequence[str], strong: float) -> str:
    """Read out a head's weights (S, S): its summary, and the words that look with at least `strong` at another word."""
    framed = [
        f"{words[row]} → {words[column]} {weights[row, column]:.0%}"
        for row, column in zip(*np.nonzero(weights >= strong), strict=True)
        if row != column
    ]
    return named(head, grouped([summary, listed(framed)] if framed else [summary]))


def read_maps(
    name: str, values: np.ndarray, words: Sequence[str], extent: tuple[float, float, float, float], side: int
) -> str:
    """Read out where each word's map (rows, columns, words) is largest, as shares of a picture of `side` points.

    extent: the edges of the maps in the picture (left, right, bottom, top).
    """
    left, right, bottom, top = extent
    rows, columns, _ = values.shape
    maxima = []
    for number, word in enumerate(words):
        row, column = divmod(int(values[:, :, number].argmax()), columns)
        maxima.append(
            said(
                N_("“{word}” most {x:.0%} from the left, {y:.0%} from the top ({value:.2g})"),
                word=word,
                x=(left + (column + 0.5) / columns * (right - left)) / side,
                y=(top + (row + 0.5) / rows * (bottom - top)) / side,
                value=float(values[row, column, number]),
            )
        )
    return named(name, grouped(maxima))
