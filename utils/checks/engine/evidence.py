"""How much a wrong result says about its cause: a name needs evidence, since many mistakes give the same few values."""

import re
from collections.abc import Container
from typing import Any

import numpy as np

from utils.checks.engine.observation import NO_GRADIENT, Observation, Tolerance, agree, leaves

# A mistake is recognised by at least this many finite numbers (booleans not counted): fewer agree too often by
# accident.
ENOUGH_NUMBERS = 3
# A result nearer than this many tolerances to the right one is not evidence: so near, all small deviations look alike.
FAR = 10
# The evidence that a name needs, as `evidence` counts it: fractions in one test, or whole numbers in two.
ENOUGH_EVIDENCE = 2


def of_values(value: Any) -> bool:
    """Return whether a result has enough finite numbers to recognise a mistake by; booleans and texts do not count."""
    return sum(int(np.isfinite(leaf).sum()) for leaf in _arrays(value)) >= ENOUGH_NUMBERS


def _arrays(value: Any) -> list[np.ndarray]:
    return [leaf for _, leaf in leaves(value, truths=False) if isinstance(leaf, np.ndarray)]


def with_nan(seen: Observation) -> bool:
    """Return whether a result has a NaN."""
    return any(np.isnan(leaf).any() for leaf in _arrays(seen.value))


def evidence(seen: Observation, expected: Any, tolerance: Tolerance, parts: Container[str] | None = None) -> int:
    """Return how much a failed test's result, or some parts of it, says about its cause.

    2: at least `ENOUGH_NUMBERS` different fractions are far from the right ones, or parts without a gradient, or words
    of a text are wrong, or whole numbers beside as many right fractions in one array; 1: so many whole numbers are, in
    an array that is not constant; such arrays agree by accident more often. 0: less, an exception, or NaN or an
    infinity in place of a number.

    parts: the paths, as in `leaves`, of the parts that count; all where it is None.
    """
    right = dict(leaves(expected))
    fractions: set[float] = set()
    cut, words, whole, beside_right = 0, 0, 0, 0
    for path, leaf in leaves(seen.value, truths=False):
        if parts is not None and path not in parts:
            continue
        want = right.get(path)
        if isinstance(leaf, str) and isinstance(want, str):
            words = max(words, _other_words(leaf, want))
        cut += isinstance(leaf, str) and leaf == NO_GRADIENT and isinstance(want, np.ndarray)
        if not isinstance(leaf, np.ndarray):
            continue
        far, near = _far_and_near(leaf, want, tolerance)
        if not np.isfinite(far).all():
            return 0
        fractions |= _fractions(far)
        if leaf.ndim and len(np.unique(leaf)) > 1:  # a lone whole number is a count or a length
            whole += far.size
            beside_right = max(beside_right, min(far.size, len(_fractions(near))))
    if max(len(fractions) + cut, words, beside_right) >= ENOUGH_NUMBERS:
        return 2
    return int(whole >= ENOUGH_NUMBERS)


def _far_and_near(leaf: np.ndarray, want: Any, tolerance: Tolerance) -> tuple[np.ndarray, np.ndarray]:
    """Return the elements of an array that are far from the right ones, and the others."""
    if not isinstance(want, np.ndarray) or want.shape != leaf.shape:
        return leaf.ravel(), np.zeros(0)
    near = agree(leaf, want, Tolerance(FAR * tolerance.rtol, FAR * tolerance.atol))
    return leaf[~near], leaf[near]


def _fractions(numbers: np.ndarray) -> set[float]:
    return set(numbers[np.abs(numbers - np.round(numbers)) > 1e-6].round(6).tolist())


def _other_words(text: str, right: str) -> int:
    """Return how many words of a text there are, if it is not the right one; a text of words is a list of shapes."""
    return len(re.findall(r"\S+", text)) if text != right else 0
