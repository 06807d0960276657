"""The result of one test, an observation, and its comparison with the reference's and with known mistakes' results.

An observation is a tree (dictionaries and lists) of arrays, numbers and text, or the failure that ended the test.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from utils.checks.engine.failure import Failure
from utils.common.messages import N_, Message

# Random projections of each array in a fingerprint. Six numbers are enough to tell any two mistakes apart.
PROJECTIONS = 6
# Significant digits of a fingerprint's numbers: coarse beside the rounding errors of float64, in which the build
# computes them, and fine beside the tolerance of every test.
DIGITS = 7
# A smaller number is the rounding error of a sum that should be zero; it differs between machines, so it counts as 0.
NOTHING = 1e-9
# The fingerprint of a result that differs from run to run: no result is recognised by it.
CHANCE = ["chance"]

# Stands in a result in place of a gradient that is None.
NO_GRADIENT = "no gradient"

# The sentences that quote an expected value: feedback on hidden tests replaces them (`autograder/exams/discreet.py`).
# `form` is the expected value with "…" in place of its numbers and texts, where that helps.
EXPECTED = N_("expected {expected}, got {got}")
EXPECTED_ABOUT = N_("expected about {expected}, got {got}")
EXPECTED_AT = N_("at {index} expected {expected}, got {got} (values that differ: {count} of {total})")


@dataclass(frozen=True)
class Observation:
    """The result of one test: a tree of plain values, or a failure."""

    value: Any = None
    failure: Failure | None = None

    @cached_property
    def leaves(self) -> list[tuple[str, Any]]:
        """The value's parts; kept, because a result is compared with each known mistake."""
        return list(leaves(self.value))

    @cached_property
    def print(self) -> list[Any]:
        """The fingerprint, which is compared with that of each known mistake."""
        return fingerprint(self)


@dataclass(frozen=True)
class Tolerance:
    """|seen - expected| <= atol + rtol * rms(expected), for every element."""

    rtol: float
    atol: float


class Scores(torch.Tensor):
    """Scores (..., V) less their mean over V, which is `middle` (..., 1): a message shows them as they were."""

    middle: torch.Tensor

    @classmethod
    def of(cls, scores: torch.Tensor) -> "Scores":
        """Return scores with the mean 0 over the last axis."""
        middle = scores.mean(dim=-1, keepdim=True)
        centred = (scores - middle).as_subclass(cls)
        centred.middle = middle
        return centred


class _Centred(np.ndarray):
    """The array of `Scores`; `middle` is the mean that was taken away, of the same shape."""

    middle: np.ndarray


@dataclass(frozen=True)
class Statistic:
    """A statistic of random numbers, which agrees with another within its own tolerance `atol`."""

    number: float
    atol: float


def leaves(tree: Any, path: str = "", *, truths: bool = True) -> Iterator[tuple[str, Any]]:
    """Yield (path, leaf) of a tree: numbers as float64 arrays, keys in sorted order, an empty branch as a leaf.

    A complex tensor (...,) becomes a real one (..., 2). Booleans are left out where `truths` is False.
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
    elif isinstance(tree, Scores) and hasattr(tree, "middle"):
        array = tree.detach().as_subclass(torch.Tensor).to(torch.float64).numpy().view(_Centred)
        array.middle = np.broadcast_to(tree.middle.to(torch.float64).numpy(), array.shape)
        yield path, array
    elif isinstance(tree, torch.Tensor):
        parts = torch.view_as_real(tree.detach().resolve_conj()) if tree.is_complex() else tree.detach()
        yield path, parts.to(torch.float64).numpy()
    elif isinstance(tree, int) and abs(tree) >= 2**63:
        yield path, np.asarray(np.inf)  # Python's 10**400 has no float64 and would raise OverflowError below
    elif isinstance(tree, bool):
        yield path, tree
    elif isinstance(tree, int | float | np.ndarray | np.generic):
        yield path, np.asarray(tree, dtype=np.float64)
    else:
        yield path, tree


def difference(seen: Any, expected: Any, tolerance: Tolerance, sizes: dict[str, int]) -> Message | None:
    """Return None when `seen` agrees with `expected`, else a message with the first element that differs.

    `sizes` maps axis symbols to lengths; the message writes shapes with these symbols.
    """
    if exchanged := _exchanged(seen, expected, tolerance):
        return exchanged
    seen_leaves, expected_leaves = dict(leaves(seen)), dict(leaves(expected))
    # A missing gradient comes first: it is often the reason why gradients of other parts differ.
    both = [path for path in expected_leaves if path in seen_leaves]
    for path in sorted(both, key=lambda path: not _no_gradient(seen_leaves[path])):
        message = _leaf_difference(seen_leaves[path], expected_leaves[path], tolerance, sizes)
        if message is not None:
            return _placed(path, seen_leaves[path], message)
    if list(seen_leaves) == list(expected_leaves):
        return None
    return _other_names(seen, expected) or Message(EXPECTED, _described(seen, expected, sizes))


def _exchanged(seen: Any, want: Any, tolerance: Tolerance) -> Message | None:
    """Return that two of several results have changed places: all shapes are right then, or all values."""
    if not isinstance(seen, list) or not isinstance(want, list) or len(seen) != len(want):
        return None
    if not all(isinstance(leaf, torch.Tensor) for leaf in (*seen, *want)):
        return None
    shapes, wanted = ([leaf.shape for leaf in results] for results in (seen, want))

    def right(order: list[int]) -> bool:
        if [shapes[i] for i in order] != wanted:
            return False
        pairs = zip((seen[i] for i in order), want, strict=True)
        return shapes != wanted or all(
            _leaf_difference(_array(ours), _array(theirs), tolerance, {}) is None for ours, theirs in pairs
        )

    straight = list(range(len(seen)))
    if right(straight):
        return None
    for first, second in itertools.combinations(straight, 2):
        order = [{first: second, second: first}.get(i, i) for i in straight]
        if right(order):
            places = {"first": str(first + 1), "second": str(second + 1)}
            return Message(N_("results {first} and {second} are swapped"), places)
    return None


def _array(tensor: torch.Tensor) -> Any:
    return next(leaf for _, leaf in leaves(tensor))


def _other_names(seen: Any, want: Any) -> Message | None:
    """Return which names are missing or new, where a result's keys are names in the student's code: parameters."""
    if not isinstance(seen, dict) or not isinstance(want, dict) or any(" " in key for key in (*seen, *want)):
        return None
    if not any("." in key for key in want):  # a layer's parameter, `key.weight`
        return None
    missing, new = (", ".join(sorted(one.keys() - other.keys())) for one, other in ((want, seen), (seen, want)))
    if missing and new:
        names = {"missing": missing, "new": new}
        return Message(N_("your layer's parameters have other names: {new} instead of {missing}"), names)
    if missing:
        return Message(N_("your layer lacks what the text asks for: {names}"), {"names": missing})
    return Message(N_("your layer has parameters that the text does not ask for: {names}"), {"names": new})


def _placed(path: str, seen: Any, problem: Message) -> Message:
    """Return `problem` preceded by the part of the result that it is about.

    A key with a space is a phrase, which is translated; a key without a space is a name in the code. A truth's key is
    the sentence that is told where the truth is the wrong one: "the input is changed; leave it as it is".
    """
    # Python quotes a key that has an apostrophe in it with double quotes.
    keys = ["".join(parts) for parts in re.findall(r"""\['(.*?)'\]|\["(.*?)"\]|\[(\d+)\]""", path)]
    if _no_gradient(seen):
        return Message(N_("no gradient reaches `{name}`"), {"name": keys[-1]}) if keys else problem
    named = [key for key in keys if not key.isdigit()]
    if named and isinstance(seen, bool):
        problem = Message(named[-1])
    for key in reversed(named[:-1] if isinstance(seen, bool) else named):
        counted = re.fullmatch(r"word (\d+)", key)
        phrase = Message(N_("word {number}"), {"number": counted[1]}) if counted else Message(key)
        problem = Message(N_("{part}: {problem}"), {"part": phrase if " " in key else key, "problem": problem})
    if named:
        return problem
    counts = [str(int(key) + 1) for key in keys]
    for count in reversed(counts[1:]):
        problem = Message(N_("part {part}: {problem}"), {"part": count, "problem": problem})
    return Message(N_("result {part}: {problem}"), {"part": counts[0], "problem": problem}) if counts else problem


def _no_gradient(seen: Any) -> bool:
    return isinstance(seen, str) and seen == NO_GRADIENT


def _truth(value: Any) -> Message:
    return Message(N_("yes") if value else N_("no"))


def _leaf_difference(seen: Any, want: Any, tolerance: Tolerance, sizes: dict[str, int]) -> Message | None:
    if isinstance(want, bool) and isinstance(seen, bool):
        truths: dict[str, Any] = {"expected": _truth(want), "got": _truth(seen)}
        return None if seen == want else Message(EXPECTED, truths)
    # One side alone is a boolean: True agrees with 1.0, False with 0.0.
    seen, want = (np.asarray(v, np.float64) if isinstance(v, bool) else v for v in (seen, want))
    if isinstance(want, Statistic):
        near = isinstance(seen, Statistic) and abs(seen.number - want.number) <= want.atol
        values = {"expected": describe(want, sizes), "got": describe(seen, sizes)}
        return None if near else Message(EXPECTED_ABOUT, values)
    if not isinstance(want, np.ndarray) or not isinstance(seen, np.ndarray):
        if type(want) is type(seen) and want == seen:
            return None
        return Message(EXPECTED, _described(seen, want, sizes))
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
    middle = seen.middle[first] if isinstance(seen, _Centred) else 0.0  # any number may be added to all scores
    shown = _distinct(float(want[first]) + middle, float(seen[first]) + middle)
    counted: dict[str, Any] = dict(zip(("expected", "got"), shown, strict=True))
    if close.size == 1:
        return Message(EXPECTED, counted)
    counted |= {"index": str(list(first)), "count": int((~close).sum()), "total": int(close.size)}
    return Message(EXPECTED_AT, counted)


def _distinct(number: float, other: float) -> tuple[str, str]:
    """Return two numbers as text, with four significant digits or as many as it takes for the texts to differ."""
    for digits in range(4, 18):
        texts = f"{number:.{digits}g}", f"{other:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts


def agree(seen: np.ndarray, want: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    """Return for each element whether it agrees; NaN agrees with NaN, an infinity with the same infinity."""
    finite = want[np.isfinite(want)]
    scale = float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        near: np.ndarray = np.abs(seen - want) <= tolerance.atol + tolerance.rtol * scale
    agrees: np.ndarray = near | (seen == want) | (np.isnan(seen) & np.isnan(want))
    return agrees


def same(seen: Observation, other: Observation, tolerance: Tolerance) -> bool:
    """Return whether two observations agree: the same exception, or values within the tolerance."""
    if seen.failure or other.failure:
        return bool(seen.failure and other.failure and seen.failure.same_as(other.failure))
    return len(seen.leaves) == len(other.leaves) and all(
        path == where and _same_leaf(mine, theirs, tolerance)
        for (path, mine), (where, theirs) in zip(seen.leaves, other.leaves, strict=True)
    )


def _same_leaf(seen: Any, want: Any, tolerance: Tolerance) -> bool:
    """Return whether `_leaf_difference` has nothing to say, without its words."""
    if isinstance(seen, np.ndarray) and isinstance(want, np.ndarray):
        return seen.shape == want.shape and bool(agree(seen, want, tolerance).all())
    return _leaf_difference(seen, want, tolerance, {}) is None


def _described(seen: Any, want: Any, sizes: dict[str, int]) -> dict[str, str]:
    """Return the values of `EXPECTED` for two values, or two whole results, of different kinds."""
    parts = {"expected": describe(want, sizes), "got": describe(seen, sizes)}
    form, own = (describe(tree, sizes, values=False) for tree in (want, seen))
    return parts | ({} if form in ("…", own) else {"form": form})


def describe(tree: Any, sizes: dict[str, int], *, values: bool = True) -> str:
    """Describe a value in a few words: a tensor by its shape, a number with its digits, text shortened.

    Without `values`, "…" stands for each number and each text.
    """
    if isinstance(tree, dict):
        some = ", ".join(f"{key[:80]}: {describe(tree[key], sizes, values=values)}" for key in sorted(tree)[:4])
        return "{" + some + (", …}" if len(tree) > 4 else "}")
    if isinstance(tree, list | tuple):
        shown = [describe(item, sizes, values=values) for item in tree[:4]] + ["…"] * (len(tree) > 4)
        return f"({', '.join(shown)})"
    if isinstance(tree, torch.Tensor | np.ndarray) and tree.ndim:
        return f"tensor {name_shape(tuple(tree.shape), sizes)}"
    if not values:
        return "…"
    if isinstance(tree, torch.Tensor | np.ndarray):
        return f"{float(tree):.4g}"
    return f"{tree.number:.3g}" if isinstance(tree, Statistic) else repr(tree)[:80]


def name_shape(shape: tuple[int, ...], sizes: dict[str, int]) -> str:
    """Write a shape with its axes' symbols: "(N, T, E) = (2, 7, 12)"; numbers alone where an axis has no symbol."""
    numbers = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    symbols = {size: symbol for symbol, size in reversed(sizes.items())} | {1: "1"}
    if shape and any(size != 1 for size in shape) and all(size in symbols for size in shape):
        named = ", ".join(symbols[size] for size in shape) + ("," if len(shape) == 1 else "")
        return f"({named}) = {numbers}"
    return numbers


def wrong_shape(seen: Sequence[int], want: Sequence[int], sizes: dict[str, int]) -> Message:
    """Return a message with the expected shape and the actual one, the latter in symbols unless they would mislead.

    The actual shape is written in numbers alone where a size seems to equal a symbol's length by accident: the shape
    has more equal sizes than expected, a size is one off, or a sequence has the length of some other axis. Examples: a
    lost word turns (N, S, V) = (5, 6, 17) into (5, 5, 17), which is not (N, N, V); of T = 11 points a convolution
    leaves 7, which is not E.
    """
    seen, want = tuple(seen), tuple(want)
    most_alike = [max((shape.count(size) for size in shape if size != 1), default=1) for shape in (seen, want)]
    beside = len(seen) == len(want) and any(abs(length - other) == 1 for length, other in zip(seen, want, strict=True))
    lengths = {sizes.get("S"), sizes.get("T")}
    shortened = len(seen) == len(want) and any(
        other in lengths and length not in (1, *want) for length, other in zip(seen, want, strict=True)
    )
    by_chance = most_alike[0] > most_alike[1] or (beside and sorted(seen) != sorted(want)) or shortened
    shapes = {"expected": name_shape(want, sizes), "got": name_shape(seen, {} if by_chance else sizes)}
    return Message(N_("expected shape {expected}, got {got}"), shapes)


# ---- fingerprints: short summaries of observations, which the public checks' answer files hold ----------


def fingerprint(observation: Observation) -> list[Any]:
    """Return a short JSON list by which an observation is recognised, but from which it cannot be reconstructed."""
    if observation.failure:
        return ["raised", observation.failure.kind, observation.failure.text]
    parts = []
    for path, leaf in leaves(observation.value):
        if isinstance(leaf, np.ndarray):
            parts.append([path, list(leaf.shape), *project(leaf)])
        elif isinstance(leaf, Statistic):
            parts.append([path, "approx", leaf.number, leaf.atol])
        else:
            parts.append([path, repr(leaf)])
    return parts


def recognises(print_: list[Any], observation: Observation, tolerance: Tolerance) -> bool:
    """Return whether `observation` has the fingerprint `print_`, within the tolerance."""
    if print_ == CHANCE:
        return False
    if print_ and print_[0] == "raised":
        return bool(observation.failure and observation.failure.same_as(Failure(print_[1], print_[2])))
    if observation.failure:
        return False
    other = observation.print
    return len(other) == len(print_) and all(_same_part(a, b, tolerance) for a, b in zip(print_, other, strict=True))


def shared_parts(print_: list[Any], right: list[Any], observation: Observation, tolerance: Tolerance) -> frozenset[str]:
    """Return the paths of the parts that an observation has in common with `print_`, and not with the right `right`."""
    if observation.failure or "raised" in (print_[:1] + right[:1]) or CHANCE in (print_, right):
        return frozenset()
    theirs, correct = ({part[0]: part for part in parts} for parts in (print_, right))
    return frozenset(
        part[0]
        for part in observation.print
        if part[0] in theirs
        and _same_part(theirs[part[0]], part, tolerance)
        and not (part[0] in correct and _same_part(correct[part[0]], part, tolerance))
    )


def _same_part(a: list[Any], b: list[Any], tolerance: Tolerance) -> bool:
    if a[:2] != b[:2] or len(a) != len(b):
        return False
    if a[1] == "approx":
        return bool(abs(a[2] - b[2]) <= a[3])
    numbers, others = np.array(a[2:], dtype=float), np.array(b[2:], dtype=float)
    scale = abs(numbers[0]) if numbers.size and np.isfinite(numbers[0]) else 0.0
    # The weights of a projection have variance 1/n, so its error has the standard deviation of one element's error.
    # A projection may differ by three such deviations.
    with np.errstate(invalid="ignore"):  # inf - inf
        near = np.abs(numbers - others) <= 3 * (tolerance.atol + tolerance.rtol * scale)
    return bool(np.all(near | (np.isnan(numbers) & np.isnan(others)) | (numbers == others)))


def project(array: np.ndarray) -> list[float]:
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
    """Round `number` to `DIGITS` significant digits of `scale`: machines differ in the digits after them."""
    number = float(number)
    if not np.isfinite(number) or not np.isfinite(scale):
        return number
    if scale < NOTHING:
        return 0.0
    return round(number, DIGITS - 1 - int(np.floor(np.log10(scale)))) + 0.0
