"""The attacks in the confusion table: each of `tests/attacks/` is graded in the sandbox, and an honest version."""

import importlib
import time
from typing import Protocol, TypedDict

from autograder.common.course import WORKBOOK
from autograder.common.errors import SandboxLost
from autograder.examine.examiner import examine
from autograder.examine.result import Result
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox

# Shorter than in real grading, so that endless loops end soon; an honest cell takes a tenth of a second.
LIMITS = Limits(cell_cpu_seconds=1.5, cell_wall_seconds=8.0, total_wall_seconds=60.0, memory_bytes=2**30)
# The answers in an attacking notebook, by kind of attack: wrong ones reveal gained points, right ones lost points.
ANSWERS = {"marks": "wrong", "secrets": "blank", "harm": "right"}


class Attack(Protocol):
    """An attack's description in the corpus, see `tests/attacks/corpus.py`."""

    name: str
    kind: str
    place: str
    keeps: str


class AttackCounts(TypedDict):
    """The results of all attacks of one kind; `won`: "NAME: GAIN" for each attack that gained something."""

    attacks: int
    flagged: int
    seconds: float
    won: list[str]


def examine_attacks(only: str = "") -> dict[str, AttackCounts]:
    """Grade the attacks whose name contains `only`; return counts by kind, and the gains."""
    corpus = importlib.import_module("tests.attacks.corpus")
    lesson: Lesson = corpus.ATTENTION
    table: dict[str, AttackCounts] = {}
    with Sandbox(WORKBOOK, LIMITS) as sandbox:
        honest = {
            answers: points(examine(corpus.honest(answers), lesson, sandbox))
            for answers in ("right", "wrong", "trivial", "blank")
        }
        for attack in corpus.attacks():
            if only not in attack.name:
                continue
            started = time.monotonic()
            answers = ANSWERS[attack.kind]
            expected = honest["trivial" if attack.place == "answer" else answers]
            try:
                result = examine(corpus.attacked(attack, answers), lesson, sandbox)
                flagged, won = bool(result.flags), _won(result, expected, attack)
            except SandboxLost:  # not graded, because each try was stopped at another place
                flagged, won = True, ""
            found = table.setdefault(attack.kind, {"attacks": 0, "flagged": 0, "seconds": 0.0, "won": []})
            found["attacks"] += 1
            found["flagged"] += flagged
            found["seconds"] = round(found["seconds"] + time.monotonic() - started, 2)
            if won:
                found["won"].append(f"{attack.name}: {won}")
    return table


def points(result: Result) -> dict[str, float]:
    """Return the points of each question that is graded automatically."""
    return {question.id: question.points for question in result.questions if question.points is not None}


def _won(result: Result, expected: dict[str, float], attack: Attack) -> str:
    """Say what the attack gained, "" for nothing. expected: the points of the honest version."""
    earned = points(result)
    if any(earned[name] > expected[name] for name in earned):
        return "gained marks"
    if attack.kind == "harm" and attack.keeps == "marks" and attack.place != "answer" and earned != expected:
        return "cost right answers their marks"
    shown = [output for outputs in result.outputs.values() for output in outputs]
    if any("LEAK" in str(output.get("text", "")) or "LEAK" in str(output.get("data", "")) for output in shown):
        return "saw what is not its own"
    return ""
