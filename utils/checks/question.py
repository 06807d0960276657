"""Questions made of tests, whose oracle is the reference solution.

Nobody writes expected values. A test builds inputs, calls the student's object and returns what it
saw; the same test with the same seed is run on the reference, and on every catalogued mistake. What
agrees with the reference passes; what agrees with a mistake is named.

In the public check the reference's and the mistakes' results for one seed come from a generated file
(`answers/`), so that no solution ships. In the exam they are computed, with other seeds, in a process that
the student's code cannot reach. See `autograder/examine/examiner.py`.
"""

import json
import linecache
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import torch

from utils.checks.observation import (
    CHANCE,
    Failure,
    Observation,
    Tolerance,
    difference,
    fingerprint,
    recognises,
    round_to,
)
from utils.checks.probe import NothingReturned, Probe
from utils.common.errors import WorkbookError
from utils.common.messages import N_, Message, notebook_language, translate

ANSWERS = Path(__file__).parent / "answers"
# The seed of the public checks' inputs: any number would do, it only has to stay.
CHECK_SEED = 2017
# float32 keeps seven digits; a softmax and two matrix products over widths below 100 leave five.
DEFAULT_RTOL = 1e-4
DEFAULT_ATOL = 1e-5

PASSED, WRONG, RAISED, NOT_ATTEMPTED, STOPPED = "passed", "wrong", "raised", "not attempted", "stopped"


class CheckFailed(WorkbookError):
    """The answer is not right yet; the text says how many tests passed."""


@dataclass(frozen=True)
class Test:
    """One thing asked: `function(probe, *students)` returns the observation."""

    __test__ = False  # for pytest, which would collect it by its name

    name: str
    ask: str
    function: Callable
    weight: float
    tolerance: Tolerance


@dataclass(frozen=True)
class Verdict:
    """What became of one test. `share` is its part of the question's points, `mistake` a catalogue id."""

    name: str
    ask: str
    share: float
    outcome: str
    reason: Message | None = None
    mistake: str | None = None

    @property
    def passed(self) -> bool:
        return self.outcome == PASSED


class AnswerKey(Protocol):
    """What a question's verdicts are computed from."""

    def expected(self, test: Test) -> Any:
        """Return the reference's observation."""

    def mistakes(self) -> Iterable[str]:
        """Return the ids of the known mistakes, in the catalogue's order."""

    def is_mistake(self, mistake: str, test: Test, seen: Observation) -> bool:
        """Return whether `seen` is what this mistake shows in this test."""

    def says(self, mistake: str) -> str:
        """Return the sentence that explains the mistake (English, a key of the catalogues)."""


@dataclass
class Question:
    """A gap of a lesson and its tests; calling it with the student's objects checks them."""

    name: str
    title: str
    sizes: dict[str, int]
    hints: tuple[str, ...] = ()
    examines: bool = False
    tests: dict[str, Test] = field(default_factory=dict)
    _hints_given: int = 0

    @classmethod
    def exam(
        cls, check: "Question", *, weights: dict[str, float] | None = None, sizes: dict | None = None
    ) -> "Question":
        """Return an exam that repeats the check's tests with fresh seeds; `weights` by test name, 1 otherwise.

        A weight of 0 leaves the test out.
        """
        weights = weights or {}
        unknown = set(weights) - set(check.tests)
        if unknown:
            raise WorkbookError(f"The check {check.name} has no test {sorted(unknown)}; it has {list(check.tests)}.")
        tests = {n: replace(t, weight=weights.get(n, 1.0)) for n, t in check.tests.items() if weights.get(n, 1.0)}
        return cls(check.name, check.title, sizes or check.sizes, check.hints, True, tests)

    def test(self, ask: str, *, weight: float = 1.0, rtol: float = DEFAULT_RTOL, atol: float = DEFAULT_ATOL):
        """Add the decorated function as a test; `ask` says in one sentence what it asks."""

        def add(function: Callable) -> Callable:
            name = function.__name__
            self.tests[name] = Test(name, ask, function, weight, Tolerance(rtol, atol))
            return function

        return add

    @property
    def lesson(self) -> str:
        """The lesson's name: that of the module in which the first test stands."""
        return next(iter(self.tests.values())).function.__module__.rpartition(".")[2]

    def hint(self, level: int | None = None) -> None:
        """Show the next hint, or that of `level` (1 to 3); never the solution."""
        self._hints_given = min(level or self._hints_given + 1, len(self.hints))
        if not self.hints:
            print(translate(N_("There is no hint for this question."), notebook_language()))
            return
        hint = Message(self.hints[self._hints_given - 1])
        values = {"level": self._hints_given, "levels": len(self.hints), "hint": hint}
        print(Message(N_("Hint {level} of {levels}: {hint}"), values).render(notebook_language()))

    def __call__(self, *students: Any) -> float | None:
        """Check the student's objects and show the verdicts.

        A public check returns nothing and raises CheckFailed when something is not right. An exam
        returns the points, as nbgrader's partial credit wants them.
        """
        from utils.checks.panel import show

        language = notebook_language()
        if self.examines:  # an instructor's kernel: the examiner is there, and is trusted
            from autograder.examine import examiner

            return examiner.examine_here(self, students)
        key = StoredKey(self.lesson, self.name)
        verdicts = judge(self, key, lambda test: observe(test, Probe(self.sizes, CHECK_SEED), students))
        show(self, verdicts, language)
        if not all(verdict.passed for verdict in verdicts):
            passed = sum(verdict.passed for verdict in verdicts)
            values = {"name": self.name, "passed": passed, "total": len(verdicts)}
            raise CheckFailed(Message(N_("{name}: tests passed so far: {passed} of {total}."), values).render(language))
        return None


def observe(test: Test, probe: Probe, students: Iterable[Any]) -> Observation:
    """Run one test and return what it saw; whatever the student's code raises becomes a failure."""
    try:
        seen = probe.bring(test.function(probe, *students))
        return Observation(failure=Failure("NothingReturned", "")) if seen is None else Observation(seen)
    except NothingReturned:
        return Observation(failure=Failure("NothingReturned", ""))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a student's exit() must not end the check
        return Observation(failure=getattr(error, "failure", None) or failure_of(error))


def failure_of(error: BaseException) -> Failure:
    """Describe an exception: its class, its text, and the line of the notebook cell that raised it."""
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if "ipykernel" in frame.filename or frame.filename.startswith("<cell "):
            where = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip()
    return Failure(type(error).__name__, " ".join(str(error).split())[:300], where[:120])


def judge(question: Question, key: AnswerKey, run: Callable[[Test], Observation]) -> list[Verdict]:
    """Run every test of `question` and return the verdicts, mistakes named where they are known."""
    seen = {name: run(test) for name, test in question.tests.items()}
    problems = {name: _problem(question, test, seen[name], key) for name, test in question.tests.items()}
    named = _name_mistakes(question, key, seen, {name for name, problem in problems.items() if problem})
    total = sum(test.weight for test in question.tests.values())
    verdicts = []
    for name, test in question.tests.items():
        outcome, reason = problems[name] or (PASSED, None)
        mistake = named.get(name)
        if mistake is not None:
            reason = Message(N_("{mistake} ({detail})"), {"mistake": Message(key.says(mistake)), "detail": reason})
        verdicts.append(Verdict(name, test.ask, test.weight / total, outcome, reason, mistake))
    return verdicts


def _problem(question: Question, test: Test, seen: Observation, key: AnswerKey) -> tuple[str, Message] | None:
    """Return None for a passed test, else its outcome and what was seen."""
    failure = seen.failure
    if failure is None:
        wrong = difference(seen.value, key.expected(test), test.tolerance, question.sizes)
        return wrong and (WRONG, wrong)
    if failure.kind == "NotImplementedError":
        return NOT_ATTEMPTED, Message(N_("there is nothing here yet: write your code in the cell above"))
    if failure.kind == "NothingReturned":
        return NOT_ATTEMPTED, Message(N_("your code returned None: is the return missing?"))
    if failure.kind == "Stopped":
        return STOPPED, Message(failure.text)
    if failure.kind == "NameError" and not failure.where:
        return NOT_ATTEMPTED, Message(N_("{text}: did its cell run without an error?"), {"text": failure.text})
    values = {"kind": failure.kind, "text": failure.text, "where": failure.where}
    if failure.where:
        return RAISED, Message(N_("your code raised {kind}: {text}, in the line “{where}”"), values)
    return RAISED, Message(N_("calling your code raised {kind}: {text}"), values)


def _name_mistakes(
    question: Question, key: AnswerKey, seen: dict[str, Observation], failed: set[str]
) -> dict[str, str]:
    """Return the mistake behind each failed test, where one explains it.

    A mistake that explains every test, the passed ones too, is the best explanation; when several
    mistakes meet in one answer, each failed test gets the one that explains most tests besides it.
    """
    explains: dict[str, set[str]] = {}  # of each mistake that explained a failed test: all tests that it explains
    named = {}
    for name, test in question.tests.items():
        if name not in failed or _unattempted(seen[name]):
            continue
        candidates = [mistake for mistake, tests in explains.items() if name in tests]
        if not candidates:  # only now is every mistake in the catalogue tried
            candidates = [mistake for mistake in key.mistakes() if key.is_mistake(mistake, test, seen[name])]
            for mistake in candidates:
                explains[mistake] = {n for n, t in question.tests.items() if key.is_mistake(mistake, t, seen[n])}
        if candidates:
            named[name] = max(candidates, key=lambda mistake: len(explains[mistake]))
    return named


def _unattempted(seen: Observation) -> bool:
    return bool(seen.failure and seen.failure.kind in ("NotImplementedError", "NothingReturned", "Stopped"))


# ---- the public checks' answers: numbers that the build stores ----------------------------------------


class StoredKey:
    """The answers of one public check, from `answers/<lesson>.json`."""

    def __init__(self, lesson: str, question: str):
        path = ANSWERS / f"{lesson}.json"
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            self._tests = stored["questions"][question]
            self._says = stored["says"]
        except (OSError, ValueError, KeyError) as error:
            raise WorkbookError(
                f"The answers of the check {question} are missing or damaged in {path} ({type(error).__name__}); "
                "install the folder utils again, or run `make build`."
            ) from None

    def expected(self, test: Test) -> Any:
        return _unpack(self._tests[test.name]["expected"])

    def mistakes(self) -> list[str]:
        return list(dict.fromkeys(m for test in self._tests.values() for m in test["mistakes"]))

    def is_mistake(self, mistake: str, test: Test, seen: Observation) -> bool:
        # A mistake that this test cannot see is stored without a print: it looks like the reference.
        stored = self._tests[test.name]
        print_ = stored["mistakes"].get(mistake, stored["print"])
        return recognises(print_, seen, test.tolerance)

    def says(self, mistake: str) -> str:
        return self._says[mistake]


def store_answers(question: Question, reference: tuple, mutants: dict[str, tuple]) -> dict:
    """Return what `StoredKey` reads of one question: the reference's results and the mistakes' fingerprints.

    Computed in float64, so that rounding hides the last bits in which machines differ.
    """
    stored = {}
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        for name, test in question.tests.items():

            def see(objects: tuple, test: Test = test, seed: int = 0) -> Observation:
                torch.manual_seed(seed)
                return observe(test, Probe(question.sizes, CHECK_SEED), objects)

            right = see(reference)
            if right.failure:
                raise WorkbookError(f"The reference fails in {question.name}.{name}: {right.failure}.")
            print_ = fingerprint(right)
            prints = {mistake: fingerprint(see(objects)) for mistake, objects in mutants.items()}
            for mistake, objects in mutants.items():
                # What a mistake shows by chance (dropout, memory that nobody set) is nothing to know it by.
                # As text, since NaN, which a mistake may well show, differs from itself.
                if any(str(fingerprint(see(objects, seed=seed))) != str(prints[mistake]) for seed in (0, 1)):
                    prints[mistake] = CHANCE
            seen = {m: p for m, p in prints.items() if not recognises(p, right, test.tolerance)}
            stored[name] = {"expected": _pack(right.value), "print": print_, "mistakes": seen}
    finally:
        torch.set_default_dtype(default)
    return stored


def _pack(tree: Any) -> Any:
    if isinstance(tree, torch.Tensor):
        flat = tree.double().reshape(-1).tolist()
        scale = max((abs(x) for x in flat if x - x == 0), default=0.0)
        return {"shape": list(tree.shape), "values": [round_to(x, scale) for x in flat]}
    if isinstance(tree, dict):
        return tree if "approx" in tree else {"items": {key: _pack(item) for key, item in tree.items()}}
    if isinstance(tree, list):
        return [_pack(item) for item in tree]
    return round_to(tree, abs(tree)) if isinstance(tree, float) else tree


def _unpack(stored: Any) -> Any:
    if isinstance(stored, list):
        return [_unpack(item) for item in stored]
    if not isinstance(stored, dict) or "approx" in stored:
        return stored
    if "items" in stored:
        return {key: _unpack(item) for key, item in stored["items"].items()}
    return torch.tensor(stored["values"], dtype=torch.float64).reshape(stored["shape"])
