"""A student's mark on a question: the items given, by whom, and the states before.

nbgrader's gradebook holds the points and the comment. An entry here holds the items. Where the two disagree, somebody
has marked in formgrader, or a save was interrupted between the entry and the gradebook; `reconciled` tells the two
apart.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from autograder.essays.rubric import Rubric

# Length of an answer's undo history.
KEPT = 20
# Points that differ by less than this are equal: the gradebook's differ from ours by rounding.
SAME = 1e-6


@dataclass(frozen=True)
class Booked:
    """An answer in nbgrader's gradebook: points given by a person (None: none), whether it waits, the comment."""

    score: float | None
    open: bool
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
    text: str  # of the answer that was marked, to show what has changed since
    by: str
    at: str  # time in UTC, ISO 8601

    def points(self, rubric: Rubric, most: float) -> float:
        return rubric.points(self.items, self.rubric, self.adjustment, most)


@dataclass(frozen=True)
class Before:
    """A former state: mark and gradebook. `own`: the gradebook's points were those of the mark's items."""

    mark: Mark | None
    booked: Booked
    own: bool


@dataclass(frozen=True)
class SecondMark:
    """The items that a second grader gave without seeing the first mark; the gradebook never holds it."""

    items: list[str]
    by: str
    at: str


@dataclass(frozen=True)
class AnswerRecord:
    """All that a course keeps of one answer beside the gradebook; `revision` grows with each change."""

    revision: int = 0
    mark: Mark | None = None
    history: tuple[Before, ...] = field(default=())
    second: SecondMark | None = None

    def is_own(self, booked: Booked, rubric: Rubric, most: float) -> bool:
        """Return whether the gradebook's points are those of the mark's items; True if neither has any."""
        return booked.agrees_with(None if self.mark is None else self.mark.points(rubric, most))

    def marked(self, mark: Mark, booked: Booked, own: bool) -> "AnswerRecord":
        """Return the entry with a new mark in place of the present state."""
        history = (*self.history, Before(self.mark, booked, own))[-KEPT:]
        return replace(self, revision=self.revision + 1, mark=mark, history=history)

    def undone(self) -> "AnswerRecord":
        """Return the entry as it was before its last mark."""
        return replace(self, revision=self.revision + 1, mark=self.history[-1].mark, history=self.history[:-1])

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "AnswerRecord":
        history = tuple(
            Before(_mark(old["mark"]), Booked(**old["booked"]), bool(old["own"])) for old in data.get("history", [])
        )
        second = data.get("second")
        return cls(int(data["revision"]), _mark(data.get("mark")), history, SecondMark(**second) if second else None)


def _mark(data: dict[str, Any] | None) -> Mark | None:
    return Mark(**data) if data else None


def reconciled(entry: AnswerRecord, booked: Booked, rubric: Rubric, most: float) -> AnswerRecord:
    """Drop the newest mark if the gradebook still has the state before it: the process was killed in between."""
    if entry.is_own(booked, rubric, most) or not entry.history:
        return entry
    before = entry.history[-1]
    # A former mark by items is computed anew, because items may have other points since.
    was = before.mark.points(rubric, most) if before.own and before.mark else before.booked.score
    return entry.undone() if booked.agrees_with(was) else entry
