"""In words, how a result differs from the right one: numbers show where it differs, but not how.

Each kind is a hypothesis that is tried on the numbers, the most telling first; its sentence is shown only if it is true
of every number, within the test's tolerance.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from math import isclose, prod, sqrt
from typing import Any

import numpy as np

from utils.checks.engine.observation import Tolerance, agree, leaves
from utils.common.messages import N_, Message

# Fewer different numbers are too often a multiple, or a permutation, of others.
ENOUGH = 4
# A result is called unrelated to the right one if their correlation is below UNRELATED, if it has at least MANY
# numbers, as fewer may agree by accident, and if less than the share FEW of its numbers is right.
UNRELATED, MANY, FEW = 0.3, 40, 0.1

# The sentences with a number by which the right values follow from the wrong ones: feedback on hidden tests replaces
# them (`autograder/exams/discreet.py`). `form` is the factor as a length of an axis, or its root, where it is one.
TIMES = N_("all values are the right ones times {factor}")
SHIFTED = N_("all values differ from the right ones by the same number, {number}")


def kind_of(seen: Any, expected: Any, tolerance: Tolerance, sizes: Mapping[str, int]) -> Message | None:
    """Return the kind of difference in the first array that differs; None where none of the known kinds fits.

    sizes: the length of each axis by its symbol; a factor is written with a symbol if it is one of these or its root.
    """
    right = dict(leaves(expected))
    for path, leaf in leaves(seen, truths=False):
        want = right.get(path)
        if not isinstance(leaf, np.ndarray) or not isinstance(want, np.ndarray):
            continue
        if leaf.size != want.size:
            return _of_shapes(leaf.shape, want.shape)
        if leaf.shape != want.shape or not agree(leaf, want, tolerance).all():
            # Rounded, because values that differ only by rounding would count as different numbers.
            fit = np.isfinite(leaf).all() and np.isfinite(want).all()
            telling = fit and len(np.unique(want.round(6))) >= ENOUGH
            with np.errstate(all="ignore"):  # huge numbers
                kind = next(_kinds(leaf, want, tolerance, sizes), None) if telling else None
            return kind or _of_axes(leaf.shape, want.shape)
    return None


def _of_shapes(seen: tuple[int, ...], want: tuple[int, ...]) -> Message | None:
    """Return by how much the one axis whose length differs is too short or too long, or that there are no axes.

    None where several axes differ, where there is one axis alone, and where it has the length of another axis.
    """
    if not seen:
        return Message(N_("a single number where there should be {count}"), {"count": str(prod(want))})
    differ = [axis for axis in range(len(want)) if seen[axis : axis + 1] != want[axis : axis + 1]]
    if len(seen) != len(want) or len(want) == 1 or len(differ) != 1 or seen[differ[0]] in want:
        return None
    (axis,) = differ
    short = N_("axis {axis} is too short by {count}, the others are right")
    long = N_("axis {axis} is too long by {count}, the others are right")
    count = want[axis] - seen[axis]
    return Message(short if count > 0 else long, {"axis": str(axis), "count": str(abs(count))})


def _of_axes(seen: tuple[int, ...], want: tuple[int, ...]) -> Message | None:
    """Return that the axes are in another order, if they are, whatever the values; None where two are of one length."""
    if seen == want or sorted(seen) != sorted(want) or len(set(want)) < len(want):
        return None
    return Message(N_("the axes are in another order"))


def _kinds(seen: np.ndarray, want: np.ndarray, tolerance: Tolerance, sizes: Mapping[str, int]) -> Iterator[Message]:
    """Yield the kinds that fit, the most telling first. Both arrays are finite and have as many elements."""
    for axes in permutations(range(seen.ndim)) if seen.ndim == want.ndim else ():
        if axes != tuple(range(seen.ndim)) and _alike(seen.transpose(axes), want, tolerance):
            code = f"permute{axes}"
            yield Message(N_("the right values with axes exchanged: after `{code}` all would be right"), {"code": code})
    if seen.shape != want.shape:
        if _alike(seen.ravel(), want.ravel(), tolerance):
            yield Message(N_("the right values in the right order, but in another shape"))
        return
    yield from _in_places(seen, want, tolerance)
    yield from _everywhere(seen, want, tolerance, sizes)
    yield from _moved(seen, want, tolerance)
    yield from _sums(seen, want, tolerance)
    if np.ptp(seen) <= tolerance.atol:
        yield Message(N_("all values are the same, and should not be"))
    elif (
        seen.size >= MANY
        and agree(seen, want, tolerance).mean() < FEW
        and abs(np.corrcoef(seen.ravel(), want.ravel())[0, 1]) < UNRELATED
    ):
        yield Message(N_("the shape is right, but the values have little to do with the right ones"))


def _alike(seen: np.ndarray, other: np.ndarray, tolerance: Tolerance) -> bool:
    return seen.shape == other.shape and bool(agree(seen, other, tolerance).all())


def _everywhere(
    seen: np.ndarray, want: np.ndarray, tolerance: Tolerance, sizes: Mapping[str, int]
) -> Iterator[Message]:
    """Yield a factor, or a number that was added, which is the same everywhere; else a factor for each row."""
    factor = float((seen * want).sum() / (want**2).sum())  # the least-squares fit of seen = factor · want
    if abs(factor) > 1e-3 and _alike(seen / factor, want, tolerance):  # zeros are not a multiple of the right values
        if isclose(factor, -1, rel_tol=1e-3):
            yield Message(N_("right except for the sign of all values"))
        else:
            form = _as_length(factor, sizes)
            values = {"factor": f"{factor:.4g} ({form})", "form": form} if form else {"factor": f"{factor:.4g}"}
            yield Message(TIMES, values)
    added = float((seen - want).mean())
    if _alike(seen - added, want, tolerance):
        yield Message(SHIFTED, {"number": f"{added:+.4g}"})
    squares = (want**2).sum(axis=-1, keepdims=True)
    rows = (seen * want).sum(axis=-1, keepdims=True) / np.where(squares > 0, squares, 1)
    if (
        seen.ndim > 1
        and seen.shape[-1] >= ENOUGH
        and (np.abs(rows) > 1e-3).all()
        and _alike(seen / rows, want, tolerance)
    ):
        yield Message(N_("each row is a multiple of the right one, each with its own factor"))


def _as_length(factor: float, sizes: Mapping[str, int]) -> str:
    """Return a factor as the length of an axis, its root, or one over these, for example "√E"; "" if it is none."""
    for symbol, size in sizes.items():
        forms = {symbol: size, f"√{symbol}": sqrt(size), f"1/{symbol}": 1 / size, f"1/√{symbol}": 1 / sqrt(size)}
        for form, value in forms.items():
            if size > 2 and isclose(factor, value, rel_tol=1e-3):
                return form
    return ""


def _in_places(seen: np.ndarray, want: np.ndarray, tolerance: Tolerance) -> Iterator[Message]:
    """Yield where the wrong values are, if all of them are at no more than a third of an axis' positions."""
    wrong = ~agree(seen, want, tolerance)
    for axis, length in enumerate(seen.shape):
        places = np.flatnonzero(wrong.any(axis=tuple(other for other in range(seen.ndim) if other != axis)))
        if seen.ndim > 1 and 3 * len(places) <= length:
            written = ", ".join([":"] * axis + [str(places.tolist() if len(places) > 1 else places[0])])
            yield Message(N_("all values are right except those at [{places}]"), {"places": written})


def _moved(seen: np.ndarray, want: np.ndarray, tolerance: Tolerance) -> Iterator[Message]:
    """Yield that the values are off by one position along an axis, or in another order."""
    for axis, length in enumerate(seen.shape):
        first, last = (np.arange(length)[part] for part in (slice(1, None), slice(None, -1)))
        for mine, theirs, words in (
            (first, last, N_("right, but one place too late along axis {axis}")),
            (last, first, N_("right, but one place too early along axis {axis}")),
        ):
            part = want.take(theirs, axis)
            if len(np.unique(part.round(6))) >= ENOUGH and _alike(seen.take(mine, axis), part, tolerance):
                yield Message(words, {"axis": str(axis)})
        if _alike(np.flip(seen, axis), want, tolerance):
            yield Message(N_("right, but in the opposite order along axis {axis}"), {"axis": str(axis)})
    if _alike(np.sort(seen, axis=None), np.sort(want, axis=None), tolerance):
        yield Message(N_("the right values in another order"))


def _sums(seen: np.ndarray, want: np.ndarray, tolerance: Tolerance) -> Iterator[Message]:
    """Yield that shares do not add up to 1 along the right axis, and along which they do."""
    ones = [
        [
            axis
            for axis, n in enumerate(one.shape)
            if n > 1 and _alike(one.sum(axis), np.ones_like(one.sum(axis)), tolerance)
        ]
        for one in (seen, want)
    ]
    if ones[1] and ones[1][0] not in ones[0]:
        if ones[0]:
            axes = {"right": str(ones[1][0]), "yours": str(ones[0][0])}
            yield Message(N_("the values should add up to 1 along axis {right}; yours do along axis {yours}"), axes)
        else:
            yield Message(
                N_("the values should add up to 1 along axis {right}; yours do not"), {"right": str(ones[1][0])}
            )
