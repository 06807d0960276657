"""The scenes' language: the sentences that can describe a scene, and whether a sentence is true.

What: captions are written (`captions_of`) and read (`judge`) with the same table of sentence patterns.
Why: BLEU only counts common n-grams, whereas a grammar decides whether a caption is "true" (all that it says holds),
"false" (something does not) or "malformed" (no sentence of the language). The left or upper thing is always mentioned
first, so the order of the things is fixed.
"""

import re
from collections.abc import Iterable

import numpy as np

from utils.captioning.scenes.scene import BACKGROUNDS, COLOURS, PLACES, SHAPES, SIZES, Scene, Thing

THING = "a {size} {colour} {shape}"

# (share of the captions in percent, pattern); the first pattern is the most frequent.
ONE_THING = (
    (55, "{a} {place} on {background}"),
    (20, "there is {a} {place} on {background}"),
    (25, "{a} {place}"),
)
TWO_THINGS = {
    "left": (
        (50, "{a} to the left of {b}"),
        (15, "{a} left of {b} on {background}"),
        (20, "there is {a} to the left of {b}"),
        (15, "{a} and {b} to its right"),
    ),
    "above": (
        (50, "{a} above {b}"),
        (15, "{a} over {b} on {background}"),
        (20, "there is {a} above {b}"),
        (15, "{a} and {b} below it"),
    ),
}
CAPTIONS_EACH = 5  # captions of a picture, as in COCO


def _patterns(scene: Scene) -> tuple[tuple[int, str], ...]:
    return ONE_THING if scene.relation is None else TWO_THINGS[scene.relation]


def _say(thing: Thing) -> str:
    return THING.format(size=thing.size, colour=thing.colour, shape=thing.shape)


def captions_of(scene: Scene, rng: np.random.RandomState, count: int = CAPTIONS_EACH) -> list[str]:
    """Return `count` true captions of a scene in random wordings, of at most 15 words each."""
    patterns = _patterns(scene)
    shares = np.cumsum([share for share, _ in patterns])
    values = {"a": _say(scene.things[0]), "place": scene.place, "background": scene.background}
    values["b"] = _say(scene.things[-1])
    chosen = np.searchsorted(shares, rng.rand(count) * shares[-1], side="right")
    return [patterns[i][1].format(**values) for i in chosen]


def _regex(pattern: str) -> re.Pattern[str]:
    def words(name: str, options: Iterable[str]) -> str:
        return f"(?P<{name}>{'|'.join(options)})"

    slots = {"place": words("place", PLACES), "background": words("background", BACKGROUNDS)}
    for slot in "ab":
        slots[slot] = THING.format(
            size=words(f"{slot}_size", SIZES),
            colour=words(f"{slot}_colour", COLOURS),
            shape=words(f"{slot}_shape", SHAPES),
        )
    return re.compile(pattern.format(**slots))


_READERS = [(None, _regex(pattern)) for _, pattern in ONE_THING] + [
    (relation, _regex(pattern)) for relation, patterns in TWO_THINGS.items() for _, pattern in patterns
]


def read(caption: str) -> Scene | None:
    """Return what a caption claims, as a scene; None if it is not a sentence of the language.

    Where the caption says nothing, the background is "", and place and relation are None.
    """
    caption = " ".join(word for word in caption.split() if word not in ("<START>", "<END>", "<NULL>"))
    for relation, reader in _READERS:
        match = reader.fullmatch(caption)
        if match is None:
            continue
        said = match.groupdict()
        things = tuple(
            Thing(said[f"{slot}_size"], said[f"{slot}_colour"], said[f"{slot}_shape"])
            for slot in "ab"
            if f"{slot}_size" in said
        )
        return Scene(things, said.get("background") or "", said.get("place"), relation)
    return None


def judge(caption: str, scene: Scene) -> str:
    """Return whether a caption of a scene is "true", "false" or "malformed"."""
    claimed = read(caption)
    if claimed is None:
        return "malformed"
    claims = (
        claimed.things == scene.things,
        claimed.relation == scene.relation,
        claimed.place in (None, scene.place),
        claimed.background in ("", scene.background),
    )
    return "true" if all(claims) else "false"


def vocabulary() -> list[str]:
    """Return the words of the language, sorted."""
    text = [pattern for _, pattern in ONE_THING] + [p for group in TWO_THINGS.values() for _, p in group]
    text += [THING, *PLACES, *BACKGROUNDS, *COLOURS, *SHAPES, *SIZES]
    return sorted({word for line in text for word in line.split() if "{" not in word})
