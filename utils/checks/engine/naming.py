"""Which known mistake explains an answer, and how sure that is: a false name is worse than none.

A student who is told of a mistake that was not made repairs what was right. So a name needs evidence:

    one mistake    gives the answer's result in every test of the question, the passed tests included
    several        together explain all failed tests, and no other set does; each mistake of the set explains a failed
                   test that compares numbers, or explains every test that the mistake alone would fail; none of them
                   would fail a test that the answer passed
    look-alikes    mistakes that fit equally well form one class, with one sentence that is true of all of them

A mistake that only exceptions or NaN speak for is called a likely cause, because many different lines of code can give
the same exception or NaN, while few give the same numbers.
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

# At most so many mistakes are named together: a larger set of mistakes would explain almost any result.
MOST_AT_ONCE = 3
# A mistake is recognised by at least so many finite numbers (booleans not counted): fewer agree too often by accident.
ENOUGH_NUMBERS = 3


class Match(Enum):
    """How a test's result compares with a known mistake: the same, another, or not comparable because it is random."""

    SAME = "same"
    OTHER = "other"
    CHANCE = "chance"


@dataclass(frozen=True)
class Name:
    """A mistake, or a class of look-alikes: its id, its sentence, and whether numbers, not errors alone, prove it."""

    id: str
    says: str
    sure: bool = True


_Matches = Callable[[str, str], Match]  # called with the id of a mistake and the name of a test


class Catalogue(Protocol):
    """The known mistakes of a question, and their results in its tests."""

    def mistakes(self) -> Iterable[str]:
        """Return the ids of the known mistakes."""

    def shows(self, mistake: str, test: Test, seen: Observation) -> Match:
        """Return whether the result `seen` of a test is the result that this mistake gives there."""

    def passes(self, mistake: str, test: Test) -> bool:
        """Return whether this mistake passes this test."""

    def sentence(self, look_alikes: frozenset[str]) -> tuple[str, str] | None:
        """Return the id and the sentence of the one mistake, or of the smallest class with all; None without."""


def of_values(value: Any) -> bool:
    """Return whether a result has enough finite numbers to recognise a mistake by; booleans and texts do not count."""
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
        failed: the results of the failed tests, by name; a test that was not attempted or was stopped is left out.
        seen: the results of all tests, passed or failed, less those left out of `failed`.
    """
    if not failed:
        return {}  # the exam's catalogue would have to run each mistake
    matches = _remembered(tests, seen, catalogue)
    if alone := _alone(failed, seen, catalogue, matches):
        found = catalogue.sentence(alone)
        sure = any(observation.failure is None and not _only_nan(observation.value) for observation in failed.values())
        return dict.fromkeys(failed, Name(*found, sure)) if found else {}
    return _several(tests, failed, seen, catalogue, matches)


def look_alikes(
    tests: Mapping[str, Test], failed: Mapping[str, Observation], seen: Mapping[str, Observation], catalogue: Catalogue
) -> frozenset[str]:
    """Return the mistakes of which each alone explains all results; two or more cannot be told apart by these tests."""
    return _alone(failed, seen, catalogue, _remembered(tests, seen, catalogue))


def _alone(
    failed: Mapping[str, Observation], seen: Mapping[str, Observation], catalogue: Catalogue, matches: _Matches
) -> frozenset[str]:
    order = [*failed, *(test for test in seen if test not in failed)]
    alone = [
        mistake for mistake in catalogue.mistakes() if all(matches(mistake, test) is not Match.OTHER for test in order)
    ]
    agreeing = {mistake: sum(matches(mistake, test) is Match.SAME for test in failed) for mistake in alone}
    most = max(agreeing.values(), default=0)  # 0: only random results fit, which is no evidence
    return frozenset(mistake for mistake in alone if most and agreeing[mistake] == most)


def _remembered(tests: Mapping[str, Test], seen: Mapping[str, Observation], catalogue: Catalogue) -> _Matches:
    """Return a function that compares a mistake with a test's result, each pair once."""
    return cache(lambda mistake, test: catalogue.shows(mistake, tests[test], seen[test]))


def _several(
    tests: Mapping[str, Test],
    failed: Mapping[str, Observation],
    seen: Mapping[str, Observation],
    catalogue: Catalogue,
    matches: _Matches,
) -> dict[str, Name]:
    """Return the names where no single mistake, but exactly one set of mistakes, explains all failed tests."""
    passed = [test for test in seen if test not in failed]
    fitting: dict[frozenset[str], set[str]] = {}  # a set of failed tests -> the mistakes that explain exactly these
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
    """Return whether the chosen parts together cover all failed tests, and none of the parts is superfluous."""
    each_needed = all(part - frozenset().union(*(p for p in chosen if p is not part)) for part in chosen)
    return each_needed and frozenset().union(*chosen) == frozenset(failed)
