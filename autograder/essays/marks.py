"""A student's mark on an essay: the items given, by whom and when, and the marks before it, for undoing.

nbgrader's gradebook has the points and the comment, the record here the items. If the two disagree, either somebody has
marked in formgrader, or a save was interrupted after the record was written; `reconciled` tells these two cases apart.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from autograder.essays.rubric import Rubric

# Length of an answer's undo history.
MAX_HISTORY = 20
# Points that differ by less than this are equal: the gradebook's differ from ours by rounding.
SAME = 1e-6


@dataclass(frozen=True)
class Booked:
    """An answer in nbgrader's gradebook."""

    score: float | None  # points given by a person
    open: bool  # whether the answer waits for a person
    comment: str

    def agrees_with(self, score: float | None) -> bool:
        if self.score is None or score is None:
            return self.score is None and score is None
        return abs(self.score - score) < SAME


@dataclass(frozen=True)
class Mark:
    """The rubric items given, the rubric revision that they refer to, and the points added to their sum."""

    items: list[str]
    adjustment: float
    rubric: int
    answer: str  # hash of the answer that was marked
    text: str  # the answer that was marked, to show what has changed since
    by: str
    at: str  # time in UTC, ISO 8601

    def points(self, rubric: Rubric, most: float) -> float:
        return rubric.points(self.items, self.rubric, self.adjustment, most)


@dataclass(frozen=True)
class FormerState:
    """An answer's mark and gradebook before a change."""

    mark: Mark | None
    booked: Booked
    own: bool  # whether the gradebook's points were those of the mark's items


@dataclass(frozen=True)
class SecondMark:
    """The items that a second grader gave without seeing the first mark; the gradebook never holds it."""

    items: list[str]
    by: str
    at: str


@dataclass(frozen=True)
class AnswerRecord:
    """What a course keeps of one answer beside the gradebook; `revision` grows with each change."""

    revision: int = 0
    mark: Mark | None = None
    history: tuple[FormerState, ...] = field(default=())
    second: SecondMark | None = None

    def matches_gradebook(self, booked: Booked, rubric: Rubric, most: float) -> bool:
        """Return whether the gradebook's points are those of the mark's items; True if both lack a mark.

        most: the question's points, which limit a mark.
        """
        return booked.agrees_with(None if self.mark is None else self.mark.points(rubric, most))

    def marked(self, mark: Mark, booked: Booked, own: bool) -> "AnswerRecord":
        """Return the record with a new mark; the present mark and gradebook go into the history."""
        history = (*self.history, FormerState(self.mark, booked, own))[-MAX_HISTORY:]
        return replace(self, revision=self.revision + 1, mark=mark, history=history)

    def undone(self) -> "AnswerRecord":
        """Return the record with the mark before the last."""
        return replace(self, revision=self.revision + 1, mark=self.history[-1].mark, history=self.history[:-1])

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "AnswerRecord":
        history = tuple(
            FormerState(_mark(old["mark"]), Booked(**old["booked"]), bool(old["own"]))
            for old in data.get("history", [])
        )
        second = data.get("second")
        return cls(int(data["revision"]), _mark(data.get("mark")), history, SecondMark(**second) if second else None)


def _mark(data: dict[str, Any] | None) -> Mark | None:
    return Mark(**data) if data else None


def reconciled(record: AnswerRecord, booked: Booked, rubric: Rubric, most: float) -> AnswerRecord:
    """Return the record without its newest mark if the gradebook has the points from before that mark.

    Then the process was killed between its two writes, of the record and of the gradebook.
    """
    if record.matches_gradebook(booked, rubric, most) or not record.history:
        return record
    before = record.history[-1]
    # A former mark by items is recomputed, because items may have other points since.
    points_before = before.mark.points(rubric, most) if before.own and before.mark else before.booked.score
    return record.undone() if booked.agrees_with(points_before) else record
