"""Which known mistake explains an answer, and how sure that is: a false name is worse than none.

A student who is told of a mistake that was not made repairs what was right. So a name needs evidence:

    one mistake    shows, in every test of the question, what the answer showed: the passed tests, too
    several        together explain all failed tests, and no other set does so; each of them explains one that compares
                   values, or all that it would fail; none of them would fail a test that the answer passed
    look-alikes    mistakes that fit equally well are one class, told in the one sentence that is true of them all

What exceptions or NaN alone speak for is told as a likely cause: unlike numbers, many lines can give the same.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from utils.checks.engine.observation import Observation, leaves
from utils.checks.engine.question import Test

# Of several mistakes at once so many are untangled; more fit anything.
MOST_AT_ONCE = 3
# Numbers that are neither true nor false: fewer are seen alike too often to know a mistake by.
ENOUGH_NUMBERS = 3


class Match(Enum):
    """What a test says about a mistake: it shows the same, something else, or something random."""

    SAME = "same"
    OTHER = "other"
    CHANCE = "chance"


@dataclass(frozen=True)
class Name:
    """A mistake, or a class of look-alikes: its id, its sentence, and whether values speak for it."""

    id: str
    says: str
    sure: bool = True


_Matches = Callable[[str, str], Match]  # (mistake, test) -> what the test says about the mistake


class Catalogue(Protocol):
    """What is known of a question's mistakes."""

    def mistakes(self) -> Iterable[str]:
        """Return the ids of the known mistakes."""

    def shows(self, mistake: str, test: Test, seen: Observation) -> Match:
        """Return whether `seen` is what this mistake shows in this test."""

    def passes(self, mistake: str, test: Test) -> bool:
        """Return whether this mistake passes this test."""

    def sentence(self, look_alikes: frozenset[str]) -> tuple[str, str] | None:
        """Return the id and the sentence of one mistake, or of the smallest class that holds all; None without one."""


def of_values(value: Any) -> bool:
    """Return whether a result holds numbers enough to know a mistake by; truths, texts and NaN are none."""
    found = (leaf for _, leaf in leaves(value, truths=False) if isinstance(leaf, np.ndarray))
    return sum(int(np.isfinite(leaf).sum()) for leaf in found) >= ENOUGH_NUMBERS


def _only_nan(value: Any) -> bool:
    found = [leaf for _, leaf in leaves(value, truths=False) if isinstance(leaf, np.ndarray)]
    return bool(found) and all(np.isnan(leaf).all() for leaf in found)


def name(
    tests: Mapping[str, Test], failed: Mapping[str, Observation], seen: Mapping[str, Observation], catalogue: Catalogue
) -> dict[str, Name]:
    """Return the name for each failed test that has one.

    Args:
        failed: what the failed tests saw; without those that never came to a result.
        seen: what all tests saw that came to one.
    """
    if not failed:
        return {}  # without a look at the mistakes, each of which would have to be run
    matches = _remembered(tests, seen, catalogue)
    if alone := _alone(failed, seen, catalogue, matches):
        found = catalogue.sentence(alone)
        sure = any(observation.failure is None and not _only_nan(observation.value) for observation in failed.values())
        return dict.fromkeys(failed, Name(*found, sure)) if found else {}
    return _several(tests, failed, seen, catalogue, matches)


def look_alikes(
    tests: Mapping[str, Test], failed: Mapping[str, Observation], seen: Mapping[str, Observation], catalogue: Catalogue
) -> frozenset[str]:
    """Return the mistakes of which each, alone, explains what was seen: several cannot be told apart by it."""
    return _alone(failed, seen, catalogue, _remembered(tests, seen, catalogue))


def _alone(
    failed: Mapping[str, Observation], seen: Mapping[str, Observation], catalogue: Catalogue, matches: _Matches
) -> frozenset[str]:
    order = [*failed, *(test for test in seen if test not in failed)]
    alone = [
        mistake
        for mistake in catalogue.mistakes()
        if all(matches(mistake, test) is not Match.OTHER for test in order)
    ]
    known = {mistake: sum(matches(mistake, test) is Match.SAME for test in failed) for mistake in alone}
    most = max(known.values(), default=0)  # what fits by chance alone is no evidence
    return frozenset(mistake for mistake in alone if most and known[mistake] == most)


def _remembered(tests: Mapping[str, Test], seen: Mapping[str, Observation], catalogue: Catalogue) -> _Matches:
    """Return `catalogue.shows` for what the tests saw, by the names of mistake and test; each pair is compared once."""
    return cache(lambda mistake, test: catalogue.shows(mistake, tests[test], seen[test]))


def _several(
    tests: Mapping[str, Test],
    failed: Mapping[str, Observation],
    seen: Mapping[str, Observation],
    catalogue: Catalogue,
    matches: _Matches,
) -> dict[str, Name]:
    """Return the names where only a set of mistakes explains all failed tests, and only one set does."""
    passed = [test for test in seen if test not in failed]
    fitting: dict[frozenset[str], set[str]] = {}  # the failed tests that some mistakes explain -> those mistakes
    for mistake in catalogue.mistakes():
        explained = frozenset(test for test in failed if matches(mistake, test) is Match.SAME)
        if not explained or not all(catalogue.passes(mistake, tests[test]) for test in passed):
            continue
        of_numbers = any(failed[test].failure is None and of_values(failed[test].value) for test in explained)
        if of_numbers or all(catalogue.passes(mistake, tests[test]) for test in failed.keys() - explained):
            fitting.setdefault(explained, set()).add(mistake)
    sets = [chosen for size in range(2, MOST_AT_ONCE + 1) for chosen in combinations(fitting, size)]
    whole = [chosen for chosen in sets if _explains(chosen, failed)]
    fewest = [chosen for chosen in whole if len(chosen) == len(whole[0])]
    names: dict[str, Name] = {}
    for part in fewest[0] if len(fewest) == 1 else ():
        if found := catalogue.sentence(frozenset(fitting[part])):
            names |= dict.fromkeys(part, Name(*found))
    return names


def _explains(chosen: Sequence[frozenset[str]], failed: Iterable[str]) -> bool:
    """Return whether the parts cover all failed tests, and each is needed for that."""
    each_needed = all(part - frozenset().union(*(p for p in chosen if p is not part)) for part in chosen)
    return each_needed and frozenset().union(*chosen) == frozenset(failed)
