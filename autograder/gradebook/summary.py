"""What a grading run tells those who started it: while it goes on, and at its end."""

from collections.abc import Callable
from dataclasses import dataclass, field

# Hears of every step: the stage ("examined", "written"), the student, how many are through, how many there are.
OnStep = Callable[[str, str, int, int], None]


def unheard(stage: str, student: str, done: int, total: int) -> None:
    """An `OnStep` for those who wait for the end."""


@dataclass
class RunSummary:
    """Students graded, those left as they were, those whose grading failed and why, those whose mark is another one."""

    graded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    news: list[str] = field(default_factory=list)  # what of the lesson's questions is new in the gradebook
    moved: dict[str, tuple[float, float]] = field(default_factory=dict)  # marks before and after, where they differ
