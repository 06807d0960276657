"""Embedded scenes: small pictures of coloured shapes, so that captioning can be learned without a download.

What: a scene is one shape on a background, or two shapes, the second to the right of the first or below it. `render`
draws a scene with Pillow at any size, always in the same way.
Why: COCO's files take a gigabyte, and many of its pictures are gone from the web. Scenes are drawn whenever they are
needed, and whether a caption of one is true can be decided exactly (`utils.captioning.scenes.grammar`).
Source: our own design, similar to CLEVR (Johnson et al. 2017, https://arxiv.org/abs/1612.06890).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

COLOURS = {
    "red": (214, 40, 40),
    "orange": (247, 140, 20),
    "yellow": (250, 222, 40),
    "green": (40, 150, 60),
    "blue": (40, 80, 200),
    "purple": (130, 50, 160),
    "pink": (250, 140, 190),
    "brown": (120, 75, 40),
}
SHAPES = ("circle", "square", "triangle", "star", "cross", "ring")
SIZES = {"small": 0.105, "large": 0.19}  # radius as a share of the picture's side
BACKGROUNDS = {"white": (245, 245, 245), "grey": (165, 165, 165), "black": (25, 25, 25)}
PLACES = {  # centre as shares of the picture's side, from the left and from the top
    "in the middle": (0.5, 0.5),
    "at the top": (0.5, 0.22),
    "at the bottom": (0.5, 0.78),
    "on the left": (0.22, 0.5),
    "on the right": (0.78, 0.5),
    "in the top left corner": (0.22, 0.22),
    "in the top right corner": (0.78, 0.22),
    "in the bottom left corner": (0.22, 0.78),
    "in the bottom right corner": (0.78, 0.78),
}
RELATIONS = ("left", "above")  # where the first thing is, seen from the second

COUNTS = {"train": 5000, "val": 1000}  # pictures
SINGLE_SHARE = 0.3  # share of scenes with one thing
# Another seed makes other scenes, for which the shipped features must be made again.
SCENES_SEED = 20140


@dataclass(frozen=True)
class Thing:
    """One coloured shape."""

    size: str
    colour: str
    shape: str


@dataclass(frozen=True)
class Scene:
    """A picture's content: `place` is set for one thing, `relation` for two; `jitter` seeds small differences."""

    things: tuple[Thing, ...]
    background: str
    place: str | None = None
    relation: str | None = None
    jitter: int = 0

    @property
    def meaning(self) -> tuple[tuple[Thing, ...], str, str | None, str | None]:
        """All that a caption can say of the scene; two pictures of equal meaning differ only by jitter."""
        return self.things, self.background, self.place, self.relation


def random_scene(rng: np.random.RandomState) -> Scene:
    """Return a random scene; `rng` is a RandomState, whose stream is the same in every version of numpy."""
    single = rng.rand() < SINGLE_SHARE
    colours = rng.permutation(len(COLOURS))[:2]  # two things never share a colour
    things = tuple(
        Thing(list(SIZES)[rng.randint(len(SIZES))], list(COLOURS)[colours[i]], SHAPES[rng.randint(len(SHAPES))])
        for i in range(1 if single else 2)
    )
    place = list(PLACES)[rng.randint(len(PLACES))] if single else None
    relation = None if single else RELATIONS[rng.randint(len(RELATIONS))]
    return Scene(things, list(BACKGROUNDS)[rng.randint(len(BACKGROUNDS))], place, relation, int(rng.randint(2**31 - 1)))


def make_scenes() -> dict[str, list[Scene]]:
    """Return the data set's scenes, `{"train": [...], "val": [...]}`; no meaning of a val scene occurs in train."""
    rng = np.random.RandomState(SCENES_SEED)
    train = [random_scene(rng) for _ in range(COUNTS["train"])]
    seen = {scene.meaning for scene in train}
    val: list[Scene] = []
    while len(val) < COUNTS["val"]:
        scene = random_scene(rng)
        if scene.meaning not in seen:
            seen.add(scene.meaning)
            val.append(scene)
    return {"train": train, "val": val}


def _polygon(shape: str, turn: float) -> list[tuple[float, float]]:
    """Return the corners of a shape of radius 1 around (0, 0), turned by `turn` radians."""
    if shape == "cross":
        a, b = 0.34, 0.95
        corners = [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a)]
        corners.append((-a, -a))
    else:
        radii, count = {"square": ((1.0,), 4), "triangle": ((1.1,), 3), "star": ((1.15, 0.48), 10)}[shape]
        first = -math.pi / 4 if shape == "square" else -math.pi / 2
        angles = [first + 2 * math.pi * i / count for i in range(count)]
        corners = [
            (radii[i % len(radii)] * math.cos(a), radii[i % len(radii)] * math.sin(a)) for i, a in enumerate(angles)
        ]
    cos, sin = math.cos(turn), math.sin(turn)
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in corners]


def _centres(scene: Scene, rng: np.random.RandomState) -> list[tuple[float, float]]:
    """Return the things' centres as shares of the side, with up to 4% of jitter."""
    if scene.place is not None:
        centres = [PLACES[scene.place]]
    else:
        along, across = rng.uniform(0.22, 0.28), rng.uniform(0.3, 0.7, size=2)
        centres = [(along, across[0]), (1 - along, across[1])]
        if scene.relation == "above":
            centres = [(y, x) for x, y in centres]
    return [(x + rng.uniform(-0.04, 0.04), y + rng.uniform(-0.04, 0.04)) for x, y in centres]


class Drawn(NamedTuple):
    """How one thing is drawn: its centre and its radius as shares of the side, its turn in radians, its colour."""

    x: float
    y: float
    radius: float
    turn: float
    fill: tuple[int, ...]


def drawn(scene: Scene) -> tuple[tuple[int, ...], list[Drawn]]:
    """Return the background's colour and how each thing is drawn, jitter included."""
    rng = np.random.RandomState(scene.jitter)

    def shade(colour: tuple[int, int, int]) -> tuple[int, ...]:
        return tuple(int(c) for c in np.clip(np.asarray(colour) + rng.randint(-10, 11, size=3), 0, 255))

    background = shade(BACKGROUNDS[scene.background])
    things = []
    for thing, (x, y) in zip(scene.things, _centres(scene, rng), strict=True):
        radius = SIZES[thing.size] * rng.uniform(0.92, 1.08)
        things.append(Drawn(x, y, radius, rng.uniform(-0.2, 0.2), shade(COLOURS[thing.colour])))
    return background, things


def render(scene: Scene, side: int = 64) -> np.ndarray:
    """Return a scene's picture, (side, side, 3) uint8: the same picture at every size, jitter included."""
    from PIL import Image, ImageDraw  # here, because its libraries are a sixth of the memory that lessons map

    fine = side * 2 if side >= 128 else side * 3  # drawn larger, then averaged, so that edges are smooth
    background, things = drawn(scene)
    picture = Image.new("RGB", (fine, fine), background)
    pen = ImageDraw.Draw(picture)
    for thing, (x, y, radius, turn, fill) in zip(scene.things, things, strict=True):
        x, y, radius = x * fine, y * fine, radius * fine
        if thing.shape in ("circle", "ring"):
            box = (x - radius, y - radius, x + radius, y + radius)
            if thing.shape == "circle":
                pen.ellipse(box, fill=fill)
            else:
                pen.ellipse(box, outline=fill, width=max(1, round(0.42 * radius)))
        else:
            pen.polygon([(x + radius * dx, y + radius * dy) for dx, dy in _polygon(thing.shape, turn)], fill=fill)
    return np.asarray(picture.resize((side, side), Image.Resampling.BOX))
