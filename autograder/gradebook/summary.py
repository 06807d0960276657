"""The progress of a grading run, and its result."""

from collections.abc import Callable
from dataclasses import dataclass, field

# A function that is called after each step with the stage ("examined", "written"), the student, the number of students
# done in this stage, and the number of all.
OnStep = Callable[[str, str, int, int], None]


def no_progress(stage: str, student: str, done: int, total: int) -> None:
    """An `OnStep` that does nothing."""


@dataclass
class RunSummary:
    """The result of a run for each student, and the changes in the gradebook."""

    graded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # student -> why the submission could not be graded
    strangers: list[str] = field(default_factory=list)  # handed in, and not in students.csv
    without_page: dict[str, str] = field(default_factory=dict)  # student -> why there is no feedback
    news: list[str] = field(default_factory=list)  # sentences: questions that were added, dropped or got other points
    moved: dict[str, tuple[float, float]] = field(default_factory=dict)  # marks before and after, where they differ
    lost: int = 0  # marks by hand that the ledger has and the gradebook lacks
    moved_by: dict[str, str] = field(default_factory=dict)  # student -> what else changed since the mark before
