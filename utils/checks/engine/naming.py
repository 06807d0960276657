"""Which known mistakes explain an answer, and how sure that is: a false name is worse than none.

A student who reads of a mistake that was not made changes correct code. So a name needs evidence. The rules are
tried in this order; the first that finds a name is used:

    one mistake    gives the answer's result in every test of the question, the passed tests included
    several        together explain all failed tests, and no other set does; each mistake of the set explains a failed
                   test that compares numbers, or explains every test that the mistake alone would fail; none of them
                   would fail a test that the answer passed
    two at once    in one answer give its result in every test, and no other two do; of several such pairs the mistake
                   that all have in common is named, or none
    test by test   where no pair does: a mistake explains the failed tests whose result it gives, and passes all passed
                   tests; the results are evidence enough (`evidence`). Other failed tests stay without a name, but
                   the mistake must explain more tests than it contradicts
    part by part   a test may return several parts, of which a mistake gives some: in two such tests it is named, under
                   the same conditions, where the test has no other name
    look-alikes    mistakes that fit equally well form one class, with one sentence that is true of all of them

A mistake explains a failed test only if the mistake alone fails that test, too. NaN is not evidence, because a row
whose scores are all hidden, 0 · ∞ and 0 / 0 look alike. A mistake that only exceptions speak for is called a likely
cause, because many different lines of code can give the same exception, while few give the same numbers.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Any, Protocol

import numpy as np
import torch

from utils.checks.engine.evidence import ENOUGH_EVIDENCE, ENOUGH_NUMBERS, evidence, of_values, with_nan
from utils.checks.engine.observation import Observation
from utils.checks.engine.pair_prints import Pair, Print, print_of
from utils.checks.engine.question import Test

# At most this many mistakes are named together: a larger set of mistakes would explain almost any result.
MOST_AT_ONCE = 3
# A result with more parts, or numbers, than these and four times as many as the right one seldom comes of a mistake.
LARGE_PARTS, LARGE_NUMBERS, LARGER = 100, 10_000, 4
# A mistake is named by parts of results if this many tests have such parts.
ENOUGH_TESTS = 2


class Match(Enum):
    """How a test's result compares with a known mistake: the same, another, or not comparable because it is random."""

    SAME = "same"
    OTHER = "other"
    CHANCE = "chance"


@dataclass(frozen=True)
class Name:
    """A mistake, or a class of look-alikes: its id, its sentence, and whether numbers, not errors alone, prove it.

    second: the other mistake of two that together give the result of a test. partly: the mistake gives only a part of
    the result, so that something else is wrong as well.
    """

    id: str
    says: str
    sure: bool = True
    second: "Name | None" = None
    partly: bool = False


class TooLong(Exception):
    """The search for names has used its time."""


def no_limit() -> None:
    """Never raise `TooLong`."""


_Matches = Callable[[str, str], Match]  # called with the id of a mistake and the name of a test


class Catalogue(Protocol):
    """The reference's results in a question's tests, the known mistakes, and their results."""

    def expected(self, test: Test) -> Any:
        """Return the reference's result in a test, a tree of plain values."""

    def mistakes(self) -> Iterable[str]:
        """Return the ids of the known mistakes."""

    def shows(self, mistake: str, test: Test, seen: Observation) -> Match:
        """Return whether the result `seen` of a test is the result that this mistake gives there."""

    def knows_form(self, test: Test, seen: Observation) -> bool:
        """Return whether a known mistake gives a result of this form in a test."""

    def passes(self, mistake: str, test: Test) -> bool:
        """Return whether this mistake passes this test."""

    def parts(self, mistake: str, test: Test, seen: Observation) -> frozenset[str]:
        """Return the paths of those wrong parts of a test's result that equal what this mistake gives there."""

    def pairs(self) -> Iterable[Pair]:
        """Return the pairs of mistakes whose common results are known."""

    def both_show(self, pair: Pair, test: Test, seen: Print) -> bool | None:
        """Return whether both mistakes of a pair in one answer give the result with the print `seen`.

        None where they give what the one mistake gives that fails this test, or what is right.
        """

    def sentence(self, look_alikes: frozenset[str], *, least: int = 1) -> tuple[str, str] | None:
        """Return the id and the sentence of the smallest class that holds all, or of the one mistake; None without.

        least: how many mistakes the class must have at least.
        """


def name(
    tests: Mapping[str, Test],
    failed: Mapping[str, Observation],
    seen: Mapping[str, Observation],
    catalogue: Catalogue,
    patience: Callable[[], None] = no_limit,
) -> dict[str, Name]:
    """Return the name for each failed test that has one.

    Args:
        failed: the results of the failed tests, by name; a test that was not attempted or was stopped is left out.
        seen: the results of all tests, passed or failed, less those left out of `failed`.
        patience: called before each costly step; raises TooLong when the search has to end.

    Raises: TooLong.
    """
    if not failed:
        return {}  # the exam's catalogue would have to run each mistake
    large = {
        test
        for test, result in failed.items()
        if is_large(result.value, catalogue.expected(tests[test])) and not catalogue.knows_form(tests[test], result)
    }
    matches = _remembered(tests, seen, catalogue, large, patience)
    if alone := _alone(failed, seen, catalogue, matches):
        without_nan = [result for result in failed.values() if not with_nan(result)]
        telling = len(without_nan) == len(failed) or any(r.failure or of_values(r.value) for r in without_nan)
        # NaN alone does not identify a single mistake; a class of look-alikes says less, so it may be named.
        sentence = catalogue.sentence(alone, least=1 if telling else 2)
        sure = telling and any(result.failure is None for result in without_nan)
        return dict.fromkeys(failed, Name(*sentence, sure)) if sentence else {}
    passed = [test for test in seen if test not in failed]
    explained: dict[str, frozenset[str]] = {}  # mistake -> the failed tests that it explains
    for mistake in catalogue.mistakes():
        shown = [test for test in failed if matches(mistake, test) is Match.SAME]
        # A mistake that passes a test cannot be the reason why the test failed, even if the results look alike.
        shown = [test for test in shown if not catalogue.passes(mistake, tests[test])]
        if shown and all(catalogue.passes(mistake, tests[test]) for test in passed):
            explained[mistake] = frozenset(shown)
    whole, failed = failed, {test: result for test, result in failed.items() if test not in large}
    right = {test: catalogue.expected(tests[test]) for test in failed}
    counts = {test: evidence(result, right[test], tests[test].tolerance) for test, result in failed.items()}
    several = _several(tests, failed, catalogue, explained) if not large else {}
    if several.keys() == whole.keys():
        return several
    # Thousands of pairs are compared, so without any telling number some pair would fit by accident.
    of_numbers = [test for test, result in failed.items() if of_values(result.value) and not with_nan(result)]
    telling = any(counts.values()) or len(of_numbers) >= ENOUGH_NUMBERS
    pairs = _pairs_fitting(tests, failed, seen, catalogue, matches, patience) if telling and not large else []
    if pairs:
        return several | _two(tests, failed, catalogue, pairs)
    partly = _part_by_part(tests, failed, passed, catalogue, patience)
    # The right operand of `|` wins: a name for a whole result replaces one for a part of it.
    return partly | _test_by_test(tests, failed, catalogue, explained, counts) | several


def look_alikes(
    tests: Mapping[str, Test], failed: Mapping[str, Observation], seen: Mapping[str, Observation], catalogue: Catalogue
) -> frozenset[str]:
    """Return the mistakes of which each alone explains all results; two or more cannot be told apart by these tests."""
    return _alone(failed, seen, catalogue, _remembered(tests, seen, catalogue))


def is_large(seen: Any, right: Any) -> bool:
    """Return whether a result has so many more parts or numbers than the right one that few mistakes have its form."""
    parts, numbers = _counted(right)
    most_parts, most_numbers = max(LARGE_PARTS, LARGER * parts), max(LARGE_NUMBERS, LARGER * numbers)
    found = _counted(seen)
    return found[0] > most_parts or found[1] > most_numbers


def _counted(tree: Any) -> tuple[int, int]:
    """Return how many parts a result has, and how many numbers and letters these have, without reading them."""
    if isinstance(tree, dict | list | tuple) and tree:
        items = tree.values() if isinstance(tree, dict) else tree
        parts, numbers = zip(*map(_counted, items), strict=True)
        return sum(parts), sum(numbers)
    return 1, tree.numel() if isinstance(tree, torch.Tensor) else len(tree) if isinstance(tree, str) else 1


def _alone(
    failed: Mapping[str, Observation], seen: Mapping[str, Observation], catalogue: Catalogue, matches: _Matches
) -> frozenset[str]:
    # Failed tests first: they rule out most mistakes, and an exam runs a mistake again in each test.
    order = [*failed, *(test for test in seen if test not in failed)]
    alone = [
        mistake for mistake in catalogue.mistakes() if all(matches(mistake, test) is not Match.OTHER for test in order)
    ]
    # A mistake with a random result fits every result. So in a failed test it does not count as agreeing, and of two
    # mistakes the one that is random in fewer passed tests fits better.
    fit = {
        mistake: (
            sum(matches(mistake, test) is Match.SAME for test in failed),
            -sum(matches(mistake, test) is Match.CHANCE for test in seen.keys() - failed.keys()),
        )
        for mistake in alone
    }
    most = max(fit.values(), default=(0, 0))
    return frozenset(mistake for mistake in alone if most[0] and fit[mistake] == most)


def _remembered(
    tests: Mapping[str, Test],
    seen: Mapping[str, Observation],
    catalogue: Catalogue,
    large: Container[str] = (),
    patience: Callable[[], None] = no_limit,
) -> _Matches:
    """Return a function that compares a mistake with a test's result, each pair once; `large` results have no match."""

    def compared(mistake: str, test: str) -> Match:
        patience()
        return Match.OTHER if test in large else catalogue.shows(mistake, tests[test], seen[test])

    return cache(compared)


def _several(
    tests: Mapping[str, Test],
    failed: Mapping[str, Observation],
    catalogue: Catalogue,
    explained: Mapping[str, frozenset[str]],
) -> dict[str, Name]:
    """Return the names if no single mistake, but exactly one set of mistakes, explains all failed tests.

    The set must be the only one of its size, and no smaller one may explain the tests: otherwise no name is sure.
    """
    # Tests whose results are evidence at all, and of these the ones that compare numbers instead of shapes or errors.
    speaks = {test for test, observation in failed.items() if not with_nan(observation)}
    of_numbers = {test for test in speaks if failed[test].failure is None and of_values(failed[test].value)}
    fitting: dict[frozenset[str], set[str]] = {}  # a set of failed tests -> the mistakes that explain exactly these
    for mistake, mine in explained.items():
        whole = mine & speaks and all(catalogue.passes(mistake, tests[test]) for test in failed.keys() - mine)
        if mine & of_numbers or whole:
            fitting.setdefault(mine, set()).add(mistake)
    sets = [chosen for size in range(2, MOST_AT_ONCE + 1) for chosen in combinations(fitting, size)]
    whole_sets = [chosen for chosen in sets if _explains(chosen, failed)]
    fewest = [chosen for chosen in whole_sets if len(chosen) == len(whole_sets[0])]
    names: dict[str, Name] = {}
    for part in fewest[0] if len(fewest) == 1 else ():
        if sentence := catalogue.sentence(frozenset(fitting[part])):
            names |= dict.fromkeys(part, Name(*sentence))
    return names


def _explains(chosen: Sequence[frozenset[str]], failed: Iterable[str]) -> bool:
    """Return whether the chosen parts together cover all failed tests, and none of the parts is superfluous."""
    each_needed = all(part - frozenset().union(*(p for p in chosen if p is not part)) for part in chosen)
    return each_needed and frozenset().union(*chosen) == frozenset(failed)


def _pairs_fitting(
    tests: Mapping[str, Test],
    failed: Mapping[str, Observation],
    seen: Mapping[str, Observation],
    catalogue: Catalogue,
    matches: _Matches,
    patience: Callable[[], None],
) -> list[frozenset[str]]:
    """Return the pairs of mistakes that in one answer give its result in every test."""
    fails = cache(lambda mistake, test: not catalogue.passes(mistake, tests[test]))
    print_ = cache(lambda test: print_of(seen[test], tests[test].tolerance))

    def together(pair: Pair, test: str) -> bool:
        known = catalogue.both_show(pair, tests[test], print_(test))
        if known is not None:
            return known
        # Without a print, the pair gives here what its one failing mistake gives alone, or passes like both mistakes.
        acting = [mistake for mistake in pair if fails(mistake, test)]
        return all(matches(mistake, test) is not Match.OTHER for mistake in acting) if acting else test not in failed

    def fits(pair: Pair) -> bool:
        patience()
        # Tests that one mistake alone explains come first, because an exam has to run the pair in the others.
        alone = {test: sum(fails(mistake, test) for mistake in pair) == 1 for test in seen}
        return all(together(pair, test) for test in sorted(seen, key=lambda test: not alone[test]))

    with np.errstate(all="ignore"):  # huge numbers, whose prints are not finite
        return [frozenset(pair) for pair in catalogue.pairs() if fits(pair)]


def _two(
    tests: Mapping[str, Test],
    failed: Iterable[str],
    catalogue: Catalogue,
    fitting: Sequence[frozenset[str]],
) -> dict[str, Name]:
    """Return the names if one pair fits; of several pairs their common mistake, and the others if they are a class."""
    certain = frozenset.intersection(*fitting)
    parts = [frozenset({mistake}) for mistake in sorted(certain)]
    if certain and len(fitting) > 1:
        parts.append(frozenset().union(*fitting) - certain)
    names: dict[str, Name] = {}
    for test in failed:
        acting = [part for part in parts if not any(catalogue.passes(mistake, tests[test]) for mistake in part)]
        if not acting and len(fitting) == 1:
            acting = parts  # neither fails this test alone
        parts_named = [Name(*sentence) for part in acting if (sentence := catalogue.sentence(part))]
        if parts_named:
            names[test] = replace(parts_named[0], second=parts_named[1] if len(parts_named) > 1 else None)
    return names


def _test_by_test(
    tests: Mapping[str, Test],
    failed: Mapping[str, Observation],
    catalogue: Catalogue,
    explained: Mapping[str, frozenset[str]],
    counts: Mapping[str, int],
) -> dict[str, Name]:
    """Return the name of each failed test that a mistake explains, with evidence.

    A few tests may agree by accident, for example where two of their sizes are the same, or where everything is
    dropped. So a mistake is named only if it explains more tests than it contradicts. It contradicts a failed test that
    it alone would fail in another way, unless a second mistake explains that test.

    counts: the evidence of each failed test.
    """

    def contradicted(mistake: str, mine: frozenset[str], others: Mapping[str, frozenset[str]]) -> int:
        named = frozenset().union(*(theirs for other, theirs in others.items() if other != mistake))
        return sum(not catalogue.passes(mistake, tests[test]) for test in failed.keys() - mine - named)

    enough = {m: mine for m, mine in explained.items() if sum(counts[test] for test in mine) >= ENOUGH_EVIDENCE}
    enough = {m: mine for m, mine in enough.items() if len(mine) > contradicted(m, mine, enough)}
    names: dict[str, Name] = {}
    for test in failed:
        # Of several mistakes in one test, those that explain the most tests are the most likely.
        most = max((len(mine) for mine in enough.values() if test in mine), default=0)
        best = frozenset(m for m, mine in enough.items() if test in mine and len(mine) == most)
        if best and (sentence := catalogue.sentence(best)):
            names[test] = Name(*sentence)
    return names


def _part_by_part(
    tests: Mapping[str, Test],
    failed: Mapping[str, Observation],
    passed: Iterable[str],
    catalogue: Catalogue,
    patience: Callable[[], None],
) -> dict[str, Name]:
    """Return the name of each failed test in which a mistake explains parts of the result, with evidence.

    In one test alone a part agrees too often by accident, so a mistake has to explain parts of `ENOUGH_TESTS`, and of
    more tests than it contradicts. Of several mistakes those that explain the most parts of a test are named.
    """
    shown: dict[str, dict[str, frozenset[str]]] = {}  # mistake -> test -> the parts that it explains there
    for mistake in catalogue.mistakes():
        patience()
        if not all(catalogue.passes(mistake, tests[test]) for test in passed):
            continue
        parts = {
            test: catalogue.parts(mistake, tests[test], seen)
            for test, seen in failed.items()
            if seen.failure is None and not with_nan(seen)
        }
        telling = {test: some for test, some in parts.items() if _shows(tests[test], failed[test], catalogue, some)}
        contradicted = sum(not catalogue.passes(mistake, tests[test]) for test in failed.keys() - telling.keys())
        if len(telling) >= ENOUGH_TESTS and len(telling) > contradicted:
            shown[mistake] = telling
    names: dict[str, Name] = {}
    for test in failed:
        most = max((len(parts.get(test, ())) for parts in shown.values()), default=0)
        best = frozenset(mistake for mistake, parts in shown.items() if most and len(parts.get(test, ())) == most)
        if best and (sentence := catalogue.sentence(best)):
            names[test] = Name(*sentence, partly=True)
    return names


def _shows(test: Test, seen: Observation, catalogue: Catalogue, parts: frozenset[str]) -> bool:
    return bool(parts) and evidence(seen, catalogue.expected(test), test.tolerance, parts) >= ENOUGH_EVIDENCE
