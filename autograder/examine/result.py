"""The result of grading one notebook, as plain data that can be stored, and shown in any language."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from autograder.common.sentences import Number
from autograder.examine.outputs import Output
from autograder.lesson.text import TEST_PREFIX
from utils.checks.engine.outcome import Verdict, points
from utils.common.messages import N_, Message

ORDERED = N_("This answer was made by putting lines in order. Points: at most {most} of {max_points}.")


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    return vars(verdict) | {"reason": verdict.reason.to_json() if verdict.reason else None}


def verdict_from_json(data: dict[str, Any]) -> Verdict:
    return Verdict(**(data | {"reason": Message.from_json(data["reason"]) if data["reason"] else None}))


@dataclass
class Graded:
    """One question with its verdicts; a question graded by hand has neither verdicts nor points here.

    share: the part of the points that the answer earns at most; below 1 for lines that were put in order.
    """

    id: str
    kind: str  # "auto" or "manual"
    max_points: float
    verdicts: list[Verdict] = field(default_factory=list)
    share: float = 1.0

    @property
    def points(self) -> float | None:
        """The points earned, a plain float in [0, max_points]; None for a question graded by hand."""
        if self.kind == "manual":
            return None
        return min(points(self.verdicts, self.max_points), self.most)

    @property
    def most(self) -> float:
        return round(self.share * self.max_points, 2) if self.share < 1 else self.max_points

    def limit(self, language: str) -> str:
        """Return why the answer earns less than all points though all tests pass; "" unless it is limited so."""
        shown = {"most": f"{Number(self.most, language):.4g}", "max_points": f"{Number(self.max_points, language):g}"}
        return Message(ORDERED, shown).render(language) if self.share < 1 else ""

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """Return the form that `autograder try --json` prints."""
        return {
            "id": self.id,
            "kind": self.kind,
            "points": self.points,
            "max_points": self.max_points,
            "tests": [
                {
                    "name": verdict.name,
                    "points": round(verdict.share * self.max_points, 2) if verdict.passed else 0.0,
                    "max_points": round(verdict.share * self.max_points, 2),
                    "passed": verdict.passed,
                    "reason": verdict.reason.render(language) if verdict.reason else "",
                    "mistake": verdict.mistake,
                    "also": verdict.also,
                }
                for verdict in self.verdicts
            ],
        }


@dataclass
class Result:
    """The result of a whole notebook: its questions, the repairs of intake, the flags, and the time that it took."""

    lesson: str
    questions: list[Graded]
    outputs: dict[str, list[Output]] = field(default_factory=dict)  # by cell id, in nbformat's form
    mended: list[Message] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    seed: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def question(self, grade_id: str) -> Graded | None:
        return next((question for question in self.questions if question.id == grade_id), None)

    def leave_out(self, names: Collection[str]) -> None:
        """Remove questions that do not count for the student."""
        self.questions = [q for q in self.questions if q.id.removeprefix(TEST_PREFIX) not in names]

    def to_json(self, language: str = "en") -> dict[str, Any]:
        return {
            "lesson": self.lesson,
            "questions": [question.to_json(language) for question in self.questions],
            "mended": [message.render(language) for message in self.mended],
            "flags": self.flags,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
        }
