"""The public checks' answers: numbers that the build computes and stores, one file per lesson, without any solution.

LESSON/answers.json     questions -> tests -> the reference's result, its fingerprint, the mistakes' fingerprints
                        says      -> each mistake's sentence
                        whys      -> texts on what goes wrong because of mistakes: the ids of these, and the text
                        classes   -> each class of look-alikes: its mistakes, and its sentence
                        pairs     -> questions -> the prints of two mistakes in one answer (`pair_prints.py`)
"""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from utils.checks.engine.naming import Match
from utils.checks.engine.observation import (
    CHANCE,
    Observation,
    Statistic,
    Tolerance,
    fingerprint,
    recognises,
    round_to,
    shared_parts,
)
from utils.checks.engine.pair_prints import ANY, Pair, PairPrints, Print, pack, print_of
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question, Test, observe, seed_cpu
from utils.common import lessons
from utils.common.errors import WorkbookError
from utils.common.messages import N_

ANSWERS = "answers.json"  # in the lesson's folder
# The seed of the public checks' inputs. Any number would do, but the stored answers belong to this one.
CHECK_SEED = 2017
# The build refuses a test in which a mistake's result is nearer than this many tolerances to the right result, because
# rounding alone would then decide whether the mistake is recognised.
NEAREST = 10
# Relative to the largest number of a list, computers differ by less: float32 has seven digits.
ROUNDING = 2e-6


class StoredKey:
    """The stored answers of one public check."""

    def __init__(self, stored: Any, question: str):
        """`stored` is the content of the lesson's answer file. Raises: KeyError where a part of it is missing."""
        self._tests = stored["questions"][question]
        self._says = stored["says"]
        self.whys: dict[str, str] = {mistake: why["says"] for why in stored["whys"] for mistake in why["of"]}
        self._classes = stored["classes"]
        self._pairs = PairPrints(stored["pairs"].get(question, pack({})))

    @classmethod
    def of(cls, lesson: str, question: str) -> "StoredKey":
        """Read the lesson's stored answers. Raises: WorkbookError for a missing or damaged file."""
        path = lessons.made(lesson, ANSWERS)
        try:
            return cls(json.loads(path.read_text(encoding="utf-8")), question)
        except (OSError, ValueError, KeyError) as error:
            raise WorkbookError(
                N_(
                    "The answers of the check {question} are missing or damaged in {path} ({error}); install the "
                    "folder utils again, or run `make build`."
                ),
                question=question,
                path=str(path),
                error=type(error).__name__,
            ) from None

    def expected(self, test: Test) -> Any:
        return _unpack(self._tests[test.name]["expected"])

    def mistakes(self) -> list[str]:
        return list(dict.fromkeys(m for test in self._tests.values() for m in test["mistakes"]))

    def shows(self, mistake: str, test: Test, seen: Observation) -> Match:
        # A mistake that passes this test is stored without a fingerprint: its result is the reference's.
        stored = self._tests[test.name]
        print_ = stored["mistakes"].get(mistake, stored["print"])
        if print_ == CHANCE:
            return Match.CHANCE
        return Match.SAME if recognises(print_, seen, test.tolerance) else Match.OTHER

    def knows_form(self, test: Test, seen: Observation) -> bool:
        form = [[path, list(leaf.shape)] for path, leaf in seen.leaves if isinstance(leaf, np.ndarray)]
        prints = self._tests[test.name]["mistakes"].values()
        lists = [[part for part in print_ if isinstance(part, list)] for print_ in prints]
        return any([part[:2] for part in parts if isinstance(part[1], list)] == form for parts in lists)

    def passes(self, mistake: str, test: Test) -> bool:
        return mistake not in self._tests[test.name]["mistakes"]

    def parts(self, mistake: str, test: Test, seen: Observation) -> frozenset[str]:
        stored = self._tests[test.name]
        print_ = stored["mistakes"].get(mistake, stored["print"])
        return shared_parts(print_, stored["print"], seen, test.tolerance)

    def pairs(self) -> Iterable[Pair]:
        return self._pairs

    def both_show(self, pair: Pair, test: Test, seen: Print) -> bool | None:
        print_ = self._pairs.of(pair).get(test.name)
        return None if print_ is None else print_.agrees(seen)

    def sentence(self, look_alikes: frozenset[str], *, least: int = 1) -> tuple[str, str] | None:
        return sentence_of(look_alikes, self._says, self._classes, least)


def sentence_of(
    look_alikes: frozenset[str], says: dict[str, str], classes: dict[str, dict[str, Any]], least: int
) -> tuple[str, str] | None:
    """Return the id and the sentence of one mistake, or of the smallest class that contains all; None without one.

    says: mistake -> sentence. classes: id of a class -> {"of": its mistakes, "says": its sentence}. least: how many
    mistakes the class must have at least.
    """
    if len(look_alikes) == least == 1:
        (mistake,) = look_alikes
        return mistake, str(says[mistake])
    holding = [(len(c["of"]), id_, str(c["says"])) for id_, c in classes.items() if look_alikes <= set(c["of"])]
    return min(holding)[1:] if holding else None


def store_answers(
    question: Question,
    reference: tuple[Any, ...],
    mutants: dict[str, tuple[Any, ...]],
    before: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return one question's part of an answer file: the reference's results and the mistakes' fingerprints.

    reference: the objects that the question is called with. mutants: for each mistake, the objects of a student who
    makes it. before: answers that are known; a mistake that still gives its print is run once. All is computed in
    float64 and rounded, because machines differ in the last bits.
    """
    stored = {}
    with in_double():
        for name, test in question.tests.items():
            right = _see(question, test, reference)
            if right.failure:
                raise WorkbookError(f"The reference fails in {question.name}.{name}: {right.failure.told}.")
            print_ = fingerprint(right)
            # Results are compared as text, because NaN, a frequent result of mistakes, differs from itself.
            right_as_text = str(print_)
            fixed = right_as_text == str(fingerprint(_see(question, test, reference, 1)))
            prints = {mistake: fingerprint(_see(question, test, objects)) for mistake, objects in mutants.items()}
            for mistake, objects in mutants.items():
                if fixed and str(prints[mistake]) == right_as_text:
                    continue  # the mistake does not change this test's result, which does not depend on chance
                known = before.get(name, {}).get("mistakes", {}).get(mistake)
                if str(known) in (str(prints[mistake]), str(CHANCE)):
                    prints[mistake] = known
                    continue
                # A result that differs between runs identifies no mistake. Results differ because of memory that was
                # never set, of random dropout, and of rounding, which differs between processors.
                again = str(fingerprint(_see(question, test, objects)))
                seed_cpu(1)
                nudged = observe(test, NudgedProbe(question.sizes, CHECK_SEED), objects)
                if again != str(prints[mistake]) or not recognises(prints[mistake], nudged, test.tolerance):
                    prints[mistake] = CHANCE
            seen = {m: p for m, p in prints.items() if not recognises(p, right, test.tolerance)}
            # `recognises` allows three tolerances.
            nearer = Tolerance(NEAREST / 3 * test.tolerance.rtol, NEAREST / 3 * test.tolerance.atol)
            if near := [mistake for mistake, print_of_it in seen.items() if recognises(print_of_it, right, nearer)]:
                raise WorkbookError(
                    f"The test {question.name}.{name} hardly tells {', '.join(near)} from a right answer: give it "
                    f"inputs or weights with which the results differ by {NEAREST} tolerances and more."
                )
            stored[name] = {"expected": _pack(right.value), "print": print_, "mistakes": seen}
    return stored


def keep_rounding(new: Any, before: Any, scale: float = 0.0) -> Any:
    """Return `new` with the numbers of `before` where they differ by rounding alone: all computers write the same.

    The last of the stored digits depends on the processor where a mistake computes in float32. new, before: stored
    answers. scale: the largest number of the list that holds the two, which a sum's rounding is proportional to.
    """
    if isinstance(new, dict) and isinstance(before, dict):
        return {key: keep_rounding(value, before.get(key)) for key, value in new.items()}
    if isinstance(new, list) and isinstance(before, list) and len(new) == len(before):
        largest = max((abs(x) for x in new if isinstance(x, float) and np.isfinite(x)), default=0.0)
        return [keep_rounding(value, old, largest) for value, old in zip(new, before, strict=True)]
    if isinstance(new, float) and isinstance(before, float):
        return before if abs(new - before) <= ROUNDING * max(abs(new), scale) else new
    return new


def store_pairs(
    question: Question, stored: dict[str, Any], students: Iterable[tuple[Pair, tuple[Any, ...]]]
) -> dict[str, Any]:
    """Return the prints of pairs of mistakes, in the form of `pair_prints.pack`.

    stored: the result of `store_answers`. students: for each pair the objects of a student who makes both mistakes.
    """
    prints: dict[Pair, dict[str, Print]] = {}
    with in_double():
        for pair, objects in students:
            prints[pair] = {}
            for name, test in question.tests.items():
                alone = [stored[name]["mistakes"][mistake] for mistake in pair if mistake in stored[name]["mistakes"]]
                seen = _see(question, test, objects)
                as_alone = (alone or [stored[name]["print"]])[0]
                if len(alone) == 2 or not (as_alone == CHANCE or recognises(as_alone, seen, test.tolerance)):
                    print_, again = (print_of(run, test.tolerance) for run in (seen, _see(question, test, objects, 1)))
                    prints[pair][name] = print_ if print_ == again and CHANCE not in alone else Print(ANY)
    return pack(prints)


def _see(question: Question, test: Test, objects: tuple[Any, ...], seed: int = 0) -> Observation:
    seed_cpu(seed)
    return observe(test, Probe(question.sizes, CHECK_SEED), objects)


class NudgedProbe(Probe):
    """A probe whose inputs are larger by a trillionth, which changes a result only where rounding decides it.

    An example: probabilities are added up, and the sum of all is compared with 1.
    """

    def normal(self, *shape: int) -> torch.Tensor:
        return (1 + 1e-12) * super().normal(*shape)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        return (1 + 1e-12) * super().uniform(*shape, low=low, high=high)


@contextlib.contextmanager
def in_double() -> Iterator[None]:
    """Make float64 torch's default dtype."""
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(default)


def _pack(tree: Any) -> Any:
    """Return an observation's value as JSON, numbers rounded."""
    if isinstance(tree, torch.Tensor):
        flat = tree.double().reshape(-1).tolist()
        scale = max((abs(x) for x in flat if x - x == 0), default=0.0)
        return {"shape": list(tree.shape), "values": [round_to(x, scale) for x in flat]}
    if isinstance(tree, Statistic):
        return {"approx": tree.number, "atol": tree.atol}
    if isinstance(tree, dict):
        return {"items": {key: _pack(item) for key, item in tree.items()}}
    if isinstance(tree, list):
        return [_pack(item) for item in tree]
    return round_to(tree, abs(tree)) if isinstance(tree, float) else tree


def _unpack(stored: Any) -> Any:
    """Return the value that `_pack` has written."""
    if isinstance(stored, list):
        return [_unpack(item) for item in stored]
    if not isinstance(stored, dict):
        return stored
    if "approx" in stored:
        return Statistic(stored["approx"], stored["atol"])
    if "items" in stored:
        return {key: _unpack(item) for key, item in stored["items"].items()}
    return torch.tensor(stored["values"], dtype=torch.float64).reshape(stored["shape"])
