"""Comparing what a test saw: with the reference's result, and with the results of known mistakes.

An observation is a tree of arrays, numbers and text, or the failure that stopped the test.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from utils.common.messages import N_, Message

# Random projections kept of each array in a fingerprint; six numbers tell any two mistakes apart.
PROJECTIONS = 6
# A fingerprint's numbers are rounded to so many digits: far above the noise of float64, in which
# the build computes them, and far below the tolerance of any test.
DIGITS = 7
# Below this a number is the remainder of a sum that should be zero; it differs from machine to machine.
NOTHING = 1e-9
# The fingerprint of what differs from run to run: nothing is recognised by it.
CHANCE = ["chance"]


# Kinds of failures that are not exceptions of the student's: stopped by the grader; None where a result was asked for.
STOPPED, NOTHING_RETURNED = "Stopped", "NothingReturned"
# And: the cell that was to define what is asked failed, with the exception that `text` quotes.
CELL_FAILED = "CellFailed"
# What stands in a result where a gradient should be.
NO_GRADIENT = "no gradient"


@dataclass(frozen=True)
class Failure:
    """An exception in the student's code: `kind` is its class, `where` the line of the cell, if known."""

    kind: str
    text: str
    where: str = ""

    def same_as(self, other: "Failure") -> bool:
        """True when both are the same exception; addresses and cell numbers in the text do not count."""
        blur = re.compile(r"0x[0-9a-f]+|<[^>]*>")
        return self.kind == other.kind and blur.sub("", self.text) == blur.sub("", other.text)


@dataclass(frozen=True)
class Observation:
    """What one test saw: a tree of plain values, or a failure."""

    value: Any = None
    failure: Failure | None = None


@dataclass(frozen=True)
class Tolerance:
    """|seen - expected| <= atol + rtol * rms(expected), for every element."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class Statistic:
    """A number taken of random ones: it agrees with another within its own tolerance `atol`."""

    number: float
    atol: float


def leaves(tree: Any, path: str = "", *, truths: bool = True) -> Iterator[tuple[str, Any]]:
    """Yield (path, leaf) of a tree, numbers as arrays; keys in sorted order; an empty branch is a leaf.

    Without `truths` what is true or false is left out.
    """
    if not truths and (isinstance(tree, bool) or (isinstance(tree, torch.Tensor) and tree.dtype == torch.bool)):
        return
    if isinstance(tree, dict | list | tuple) and not tree:
        yield path, "nothing"
    elif isinstance(tree, dict):
        for key in sorted(tree):
            yield from leaves(tree[key], f"{path}[{key!r}]", truths=truths)
    elif isinstance(tree, list | tuple):
        for index, item in enumerate(tree):
            yield from leaves(item, f"{path}[{index}]", truths=truths)
    elif isinstance(tree, torch.Tensor):
        parts = torch.view_as_real(tree.detach().resolve_conj()) if tree.is_complex() else tree.detach()
        yield path, parts.to(torch.float64).numpy()
    elif isinstance(tree, int) and abs(tree) >= 2**63:
        yield path, np.asarray(np.inf)
    elif isinstance(tree, bool):
        yield path, tree
    elif isinstance(tree, int | float | np.ndarray | np.generic):
        yield path, np.asarray(tree, dtype=np.float64)
    else:
        yield path, tree


def difference(seen: Any, expected: Any, tolerance: Tolerance, sizes: dict[str, int]) -> Message | None:
    """Return None when `seen` agrees with `expected`, else a message with the smallest counter-example."""
    seen_leaves, expected_leaves = dict(leaves(seen)), dict(leaves(expected))
    # What is missing says most: a gradient that never arrives changes those of other parts as well.
    both = [path for path in expected_leaves if path in seen_leaves]
    for path in sorted(both, key=lambda path: not _missing(seen_leaves[path])):
        message = _leaf_difference(seen_leaves[path], expected_leaves[path], tolerance, sizes)
        if message is not None:
            return _placed(path, seen_leaves[path], message)
    if list(seen_leaves) == list(expected_leaves):
        return None
    wholes = {"expected": describe(expected, sizes), "got": describe(seen, sizes)}
    return Message(N_("expected {expected}, got {got}"), wholes)


def _placed(path: str, seen: Any, problem: Message) -> Message:
    """Return a message with the place in the result that it is about, in words.

    A key with a space in it is a phrase, to be translated; one without is a name in the code.
    """
    keys = [key or index for key, index in re.findall(r"\['(.*?)'\]|\[(\d+)\]", path)]
    if _missing(seen):
        return Message(N_("no gradient reaches `{name}`"), {"name": keys[-1]}) if keys else problem
    named = [key for key in keys if not key.isdigit()]
    for key in reversed(named):
        counted = re.fullmatch(r"word (\d+)", key)
        phrase = Message(N_("word {number}"), {"number": counted[1]}) if counted else Message(key)
        problem = Message(N_("{part}: {problem}"), {"part": phrase if " " in key else key, "problem": problem})
    if named:
        return problem
    counts = [str(int(key) + 1) for key in keys]
    for count in reversed(counts[1:]):
        problem = Message(N_("part {part}: {problem}"), {"part": count, "problem": problem})
    return Message(N_("result {part}: {problem}"), {"part": counts[0], "problem": problem}) if counts else problem


def _missing(seen: Any) -> bool:
    return isinstance(seen, str) and seen == NO_GRADIENT


def _truth(value: Any) -> Message:
    return Message(N_("yes") if value else N_("no"))


def _leaf_difference(seen: Any, want: Any, tolerance: Tolerance, sizes: dict[str, int]) -> Message | None:
    if isinstance(want, bool) and isinstance(seen, bool):
        truths: dict[str, Any] = {"expected": _truth(want), "got": _truth(seen)}
        return None if seen == want else Message(N_("expected {expected}, got {got}"), truths)
    # What a test saw as 1.0 is no less true than True.
    seen, want = (np.asarray(v, np.float64) if isinstance(v, bool) else v for v in (seen, want))
    if isinstance(want, Statistic):
        near = isinstance(seen, Statistic) and abs(seen.number - want.number) <= want.atol
        values = {"expected": describe(want, sizes), "got": describe(seen, sizes)}
        return None if near else Message(N_("expected about {expected}, got {got}"), values)
    if not isinstance(want, np.ndarray) or not isinstance(seen, np.ndarray):
        if type(want) is type(seen) and want == seen:
            return None
        return Message(
            N_("expected {expected}, got {got}"), {"expected": describe(want, sizes), "got": describe(seen, sizes)}
        )
    if seen.shape != want.shape:
        return wrong_shape(seen.shape, want.shape, sizes)
    close = agree(seen, want, tolerance)
    if close.all():
        return None
    if np.isnan(seen).any() and not np.isnan(want).any():
        return Message(
            N_("values that are NaN: {count} of {total}; 0 · ∞, ∞ − ∞ or 0 / 0 give them"),
            {"count": int(np.isnan(seen).sum()), "total": seen.size},
        )
    first = tuple(int(i) for i in np.argwhere(~close)[0])
    counted: dict[str, Any] = dict(zip(("expected", "got"), _apart(want[first], seen[first]), strict=True))
    if close.size == 1:
        return Message(N_("expected {expected}, got {got}"), counted)
    counted |= {"index": str(list(first)), "count": int((~close).sum()), "total": int(close.size)}
    return Message(N_("at {index} expected {expected}, got {got} (values that differ: {count} of {total})"), counted)


def _apart(one: float, other: float) -> tuple[str, str]:
    """Return two different numbers with four digits, or with as many as it takes to tell them apart."""
    for digits in range(4, 18):
        texts = f"{one:.{digits}g}", f"{other:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts


def agree(seen: np.ndarray, want: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    """Return for each element whether it agrees; NaN agrees with NaN and an infinity with its like."""
    finite = want[np.isfinite(want)]
    scale = float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        near: np.ndarray = np.abs(seen - want) <= tolerance.atol + tolerance.rtol * scale
    agrees: np.ndarray = near | (seen == want) | (np.isnan(seen) & np.isnan(want))
    return agrees


def same(one: Observation, other: Observation, tolerance: Tolerance) -> bool:
    """True when two observations cannot be told apart."""
    if one.failure or other.failure:
        return bool(one.failure and other.failure and one.failure.same_as(other.failure))
    return difference(one.value, other.value, tolerance, {}) is None


def describe(tree: Any, sizes: dict[str, int]) -> str:
    """Say in a few words what a value is: a shape, a number, a short text."""
    if isinstance(tree, torch.Tensor | np.ndarray):
        return f"{float(tree):.4g}" if tree.ndim == 0 else f"tensor {name_shape(tuple(tree.shape), sizes)}"
    if isinstance(tree, Statistic):
        return f"{tree.number:.3g}"
    if isinstance(tree, dict):
        some = ", ".join(f"{key[:80]}: {describe(tree[key], sizes)}" for key in sorted(tree)[:4])
        return "{" + some + (", …}" if len(tree) > 4 else "}")
    if isinstance(tree, list | tuple):
        shown = ", ".join(describe(item, sizes) for item in tree[:4]) + (", …" if len(tree) > 4 else "")
        return f"({shown})"
    return repr(tree)[:80]


def name_shape(shape: tuple[int, ...], sizes: dict[str, int]) -> str:
    """Write a shape with its axes' symbols: "(N, T, E) = (2, 7, 12)"; numbers alone where one has no symbol."""
    numbers = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    symbols = {size: symbol for symbol, size in reversed(sizes.items())} | {1: "1"}
    if shape and any(size != 1 for size in shape) and all(size in symbols for size in shape):
        named = ", ".join(symbols[size] for size in shape) + ("," if len(shape) == 1 else "")
        return f"({named}) = {numbers}"
    return numbers


def wrong_shape(seen: Sequence[int], want: Sequence[int], sizes: dict[str, int]) -> Message:
    """Say which shape was expected and which came; its symbols are left out where sizes agree with them by chance.

    That is where sizes repeat more than expected, or where one is next to the expected one: "(N, N, V)" for (5, 5, 17)
    when a word of six was lost.
    """
    seen, want = tuple(seen), tuple(want)
    most_alike = [max((shape.count(size) for size in shape if size != 1), default=1) for shape in (seen, want)]
    beside = len(seen) == len(want) and any(abs(one - other) == 1 for one, other in zip(seen, want, strict=True))
    by_chance = most_alike[0] > most_alike[1] or (beside and sorted(seen) != sorted(want))
    shapes = {"expected": name_shape(want, sizes), "got": name_shape(seen, {} if by_chance else sizes)}
    return Message(N_("expected shape {expected}, got {got}"), shapes)


# ---- fingerprints: observations small enough to ship, for the public checks ---------------------------


def fingerprint(observation: Observation) -> list[Any]:
    """Return a short JSON list by which an observation is recognised and from which it cannot be rebuilt."""
    if observation.failure:
        return ["raised", observation.failure.kind, observation.failure.text]
    parts = []
    for path, leaf in leaves(observation.value):
        if isinstance(leaf, np.ndarray):
            parts.append([path, list(leaf.shape), *_project(leaf)])
        elif isinstance(leaf, Statistic):
            parts.append([path, "approx", leaf.number, leaf.atol])
        else:
            parts.append([path, repr(leaf)])
    return parts


def recognises(print_: list[Any], observation: Observation, tolerance: Tolerance) -> bool:
    """True when `observation` has the fingerprint `print_`, within the tolerance."""
    if print_ == CHANCE:
        return False
    if print_ and print_[0] == "raised":
        return bool(observation.failure and observation.failure.same_as(Failure(print_[1], print_[2])))
    if observation.failure:
        return False
    other = fingerprint(observation)
    return len(other) == len(print_) and all(_same_part(a, b, tolerance) for a, b in zip(print_, other, strict=True))


def _same_part(a: list[Any], b: list[Any], tolerance: Tolerance) -> bool:
    if a[:2] != b[:2] or len(a) != len(b):
        return False
    if a[1] == "approx":
        return bool(abs(a[2] - b[2]) <= a[3])
    numbers, others = np.array(a[2:], dtype=float), np.array(b[2:], dtype=float)
    scale = abs(numbers[0]) if numbers.size and np.isfinite(numbers[0]) else 0.0
    # A projection of unit-variance weights carries the elements' error unchanged; three sigma of it.
    with np.errstate(invalid="ignore"):  # an infinity less its like
        near = np.abs(numbers - others) <= 3 * (tolerance.atol + tolerance.rtol * scale)
    return bool(np.all(near | (np.isnan(numbers) & np.isnan(others)) | (numbers == others)))


def _project(array: np.ndarray) -> list[float]:
    """Return the root mean square and `PROJECTIONS` random projections of an array."""
    flat = array.reshape(-1)
    if not flat.size:
        return []
    weights = np.random.RandomState(flat.size).standard_normal((PROJECTIONS, flat.size)) / np.sqrt(flat.size)
    with np.errstate(invalid="ignore", over="ignore"):
        rms = np.sqrt(np.mean(flat**2))
        numbers = [rms, *(weights @ flat)]
    return [round_to(number, rms) for number in numbers]


def round_to(number: float, scale: float) -> float:
    """Round to `DIGITS` significant digits of `scale`, so that the last bits of a sum cannot show."""
    number = float(number)
    if not np.isfinite(number) or not np.isfinite(scale):
        return number
    if scale < NOTHING:
        return 0.0
    return round(number, DIGITS - 1 - int(np.floor(np.log10(scale)))) + 0.0
