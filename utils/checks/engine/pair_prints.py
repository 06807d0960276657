"""Two mistakes in one answer: short prints of their results, by which the pair is recognised.

A test that only one of two mistakes fails shows what this mistake shows alone, and needs no print. So there is a print
only where both fail the test, or where they act on each other. With thousands of pairs a print must be small:

    form    a checksum of the result's structure and texts, or of its exception; `ANY` for a random result
    x, y    two random projections of all its numbers, in units of the test's tolerance, as whole numbers

A result with NaN or infinities has a form alone, which is the same for all such results of one structure.
"""

import zlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from utils.checks.engine.failure import VARYING
from utils.checks.engine.observation import Observation, Statistic, Tolerance, leaves, project

# The form of a random result, which fits every result.
ANY = 0
# Arrays have weights from 1 to this number, by their order, so that an exchange of two arrays changes the print.
PLACES = 7
# If each element is off by a tolerance, a projection is off by a normal number of tolerances: never by so many.
DEVIATIONS = 5

Pair = tuple[str, str]


class Print(NamedTuple):
    """The print of a result; `error` is by how much the x and the y of the same result may differ."""

    form: int
    x: int = 0
    y: int = 0
    error: float = 0.0

    def agrees(self, other: "Print") -> bool:
        """Return whether both may be prints of one result."""
        error = max(self.error, other.error)
        near = abs(self.x - other.x) <= error and abs(self.y - other.y) <= error
        return ANY in (self.form, other.form) or (self.form == other.form and near)


def print_of(seen: Observation, tolerance: Tolerance) -> Print:
    """Return the print of a test's result."""
    if seen.failure:
        return Print(_checksum(f"{seen.failure.kind}: {VARYING.sub('', seen.failure.text)}"))
    structure, totals, squares = [], np.zeros(2), 0
    for number, (path, leaf) in enumerate(leaves(seen.value)):
        weight = 1 + number % PLACES
        if isinstance(leaf, np.ndarray):
            structure.append(f"{path} {leaf.shape}")
            rms, *projected = project(leaf)[:3] or (0.0, 0.0, 0.0)
            totals += weight * np.array(projected) / (tolerance.atol + tolerance.rtol * rms)
            squares += weight**2
        elif isinstance(leaf, Statistic):
            structure.append(f"{path} approx")
            totals += weight * leaf.number / leaf.atol
            squares += weight**2
        else:
            structure.append(f"{path} {leaf!r}")
    if not np.isfinite(totals).all():
        return Print(_checksum(f"{structure} not finite"))
    x, y = (int(number) for number in np.round(np.clip(totals, -1e9, 1e9)))
    return Print(_checksum(str(structure)), x, y, 1 + DEVIATIONS * squares**0.5)


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode()) or 1


class PairPrints:
    """The prints of all pairs of a question's mistakes, as `pack` has written them."""

    def __init__(self, stored: Mapping[str, Any]):
        self._tests, self._forms = stored["tests"].split(), [int(form) for form in stored["forms"].split()]
        mistakes = stored["mistakes"].split()
        self._pairs: dict[Pair, str] = {}
        for numbers, prints in stored["pairs"].items():
            first, second = (mistakes[int(number)] for number in numbers.split())
            self._pairs[first, second] = prints
        self._read: dict[Pair, dict[str, Print]] = {}

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._pairs)

    def of(self, pair: Pair) -> dict[str, Print]:
        """Return the prints of a pair by test."""
        if pair not in self._read:
            numbers = [int(number) for number in self._pairs[pair].split()]
            rows = zip(*[iter(numbers)] * 4, strict=True)  # `pack` writes four numbers for each test
            self._read[pair] = {self._tests[test]: Print(self._forms[form], x, y) for test, form, x, y in rows}
        return self._read[pair]


def pack(pairs: Mapping[Pair, Mapping[str, Print]]) -> dict[str, Any]:
    """Return the prints of pairs, by test, as they are stored: a line of text for each pair, names as numbers.

    Thousands of pairs repeat the same names and forms; JSON objects would repeat them in each pair.
    """
    mistakes = sorted({mistake for pair in pairs for mistake in pair})
    tests = sorted({test for prints in pairs.values() for test in prints})
    forms = sorted({first.form for prints in pairs.values() for first in prints.values()})
    lines = {}
    for (first, second), prints in pairs.items():
        rows = ((tests.index(test), forms.index(print_.form), print_.x, print_.y) for test, print_ in prints.items())
        lines[f"{mistakes.index(first)} {mistakes.index(second)}"] = " ".join(
            str(number) for row in rows for number in row
        )
    return {
        "mistakes": " ".join(mistakes),
        "tests": " ".join(tests),
        "forms": " ".join(map(str, forms)),
        "pairs": lines,
    }
