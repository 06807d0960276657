"""A student's mark on a question: what was given, by whom, and what there was before.

nbgrader's gradebook holds the points and the comment. An entry here holds the items. Where the two disagree, somebody
has marked in formgrader, or a save was interrupted between the entry and the gradebook; `reconciled` tells the two
apart.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from autograder.essays.rubric import Rubric

# How many states before the present one are kept of each answer, to go back to.
KEPT = 20
# A gradebook's points differ from ours by rounding alone if they differ by less.
SAME = 1e-6


@dataclass(frozen=True)
class Booked:
    """What nbgrader's gradebook says of an answer: points given by a person (None: none), whether it waits, comment."""

    score: float | None
    open: bool
    comment: str

    def agrees_with(self, score: float | None) -> bool:
        if self.score is None or score is None:
            return self.score is None and score is None
        return abs(self.score - score) < SAME


@dataclass(frozen=True)
class Mark:
    """Items given to an answer (at a revision of the rubric), and more or fewer points than theirs."""

    items: list[str]
    adjustment: float
    rubric: int
    answer: str  # hash of the answer that was marked
    text: str  # its text, to show what has changed since
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
            Before(_mark(one["mark"]), Booked(**one["booked"]), bool(one["own"])) for one in data.get("history", [])
        )
        second = data.get("second")
        return cls(int(data["revision"]), _mark(data.get("mark")), history, SecondMark(**second) if second else None)


def _mark(data: dict[str, Any] | None) -> Mark | None:
    return Mark(**data) if data else None


def reconciled(entry: AnswerRecord, booked: Booked, rubric: Rubric, most: float) -> AnswerRecord:
    """Return the entry without a mark that never reached the gradebook: the process was ended in between."""
    if entry.is_own(booked, rubric, most) or not entry.history:
        return entry
    before = entry.history[-1]
    was = before.mark.points(rubric, most) if before.own and before.mark else before.booked.score
    return entry.undone() if booked.agrees_with(was) else entry
