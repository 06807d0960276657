"""Verdicts: what became of each test, and which known mistake explains it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from utils.checks import observation
from utils.checks.observation import Observation, difference
from utils.checks.question import Question, Test
from utils.common.messages import N_, Message

PASSED, WRONG, RAISED, NOT_ATTEMPTED, STOPPED = "passed", "wrong", "raised", "not attempted", "stopped"


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


def points(verdicts: list[Verdict], most: float) -> float:
    """Return the points that verdicts earn of `most`: a plain float in [0, most], rounded to hundredths."""
    if verdicts and all(verdict.passed for verdict in verdicts):
        return float(most)
    earned = sum(verdict.share for verdict in verdicts if verdict.passed)
    return float(min(max(round(earned * most, 2), 0.0), most))


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
        return (WRONG, wrong) if wrong else None
    if failure.kind == "NotImplementedError":
        return NOT_ATTEMPTED, Message(N_("there is nothing here yet: write your code in the cell above"))
    if failure.kind == observation.NOTHING_RETURNED:
        return NOT_ATTEMPTED, Message(N_("your code returned None: is the return missing?"))
    if failure.kind == observation.STOPPED:
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
    return bool(
        seen.failure and seen.failure.kind in ("NotImplementedError", observation.NOTHING_RETURNED, observation.STOPPED)
    )
