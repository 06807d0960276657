"""The public checks' answers: numbers that the build computes and stores, one file per lesson, without any solution.

answers/<lesson>.json   questions -> tests -> the reference's result, its fingerprint, the mistakes' fingerprints
                        says      -> each mistake's sentence
                        classes   -> each class of look-alikes: its mistakes, and its sentence
"""

import json
from pathlib import Path
from typing import Any

import torch

from utils.checks.engine.naming import Match
from utils.checks.engine.observation import CHANCE, Observation, Statistic, fingerprint, recognises, round_to
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question, Test, observe
from utils.common.errors import WorkbookError
from utils.common.messages import N_

ANSWERS = Path(__file__).parents[1] / "answers"
# The seed of the public checks' inputs. Any number would do, but the stored answers belong to this one.
CHECK_SEED = 2017


class StoredKey:
    """The stored answers of one public check."""

    def __init__(self, stored: Any, question: str):
        """`stored` is the content of the lesson's answer file. Raises: KeyError where a part of it is missing."""
        self._tests = stored["questions"][question]
        self._says = stored["says"]
        self._classes = stored["classes"]

    @classmethod
    def of(cls, lesson: str, question: str) -> "StoredKey":
        """Read the answers from `answers/<lesson>.json`. Raises: WorkbookError for a missing or damaged file."""
        path = ANSWERS / f"{lesson}.json"
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

    def passes(self, mistake: str, test: Test) -> bool:
        return mistake not in self._tests[test.name]["mistakes"]

    def sentence(self, look_alikes: frozenset[str]) -> tuple[str, str] | None:
        return sentence_of(look_alikes, self._says, self._classes)


def sentence_of(
    look_alikes: frozenset[str], says: dict[str, str], classes: dict[str, dict[str, Any]]
) -> tuple[str, str] | None:
    """Return the id and the sentence of one mistake, or of the smallest class that contains all; None without one.

    says: mistake -> sentence. classes: id of a class -> {"of": its mistakes, "says": its sentence}.
    """
    if len(look_alikes) == 1:
        (mistake,) = look_alikes
        return mistake, str(says[mistake])
    holding = [(len(c["of"]), id_, str(c["says"])) for id_, c in classes.items() if look_alikes <= set(c["of"])]
    return min(holding)[1:] if holding else None


def store_answers(
    question: Question, reference: tuple[Any, ...], mutants: dict[str, tuple[Any, ...]]
) -> dict[str, Any]:
    """Return one question's part of an answer file: the reference's results and the mistakes' fingerprints.

    reference: the objects that the question is called with. mutants: for each mistake, the objects of a student who
    makes it. All is computed in float64 and rounded, because machines differ in the last bits.
    """
    stored = {}
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        for name, test in question.tests.items():

            def see(objects: tuple[Any, ...], test: Test = test, seed: int = 0) -> Observation:
                torch.manual_seed(seed)
                return observe(test, Probe(question.sizes, CHECK_SEED), objects)

            right = see(reference)
            if right.failure:
                raise WorkbookError(f"The reference fails in {question.name}.{name}: {right.failure}.")
            print_ = fingerprint(right)
            prints = {mistake: fingerprint(see(objects)) for mistake, objects in mutants.items()}
            for mistake, objects in mutants.items():
                # A mistake is not recognised by a random result (of dropout, or of memory that was never set).
                # Compared as text, because NaN, a frequent result of mistakes, differs from itself.
                if any(str(fingerprint(see(objects, seed=seed))) != str(prints[mistake]) for seed in (0, 1)):
                    prints[mistake] = CHANCE
            seen = {m: p for m, p in prints.items() if not recognises(p, right, test.tolerance)}
            stored[name] = {"expected": _pack(right.value), "print": print_, "mistakes": seen}
    finally:
        torch.set_default_dtype(default)
    return stored


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
