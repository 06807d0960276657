"""Late days: days of a budget for the whole term, each of which moves a student's due date of one lesson by 24 hours.

Which lessons get the days is decided again whenever penalties are: those where they help the student most, over all
lessons by their weights (`late_days_go = "best"`), or those due first. A day that saves no point is not used.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nbgrader.api import Student, SubmittedAssignment
from traitlets.config import Config

from autograder.common.course import Course
from autograder.common.course_file import BEST
from autograder.gradebook.late_rule import DAY, Rule, read_rule, rule_of
from autograder.intake.roster import extension_of


@dataclass(frozen=True)
class LateWork:
    """A late submission: how late in seconds, its points, the share of the term that a point is worth, its rule.

    most: the most late days that it may get.
    """

    lesson: str
    due: datetime
    seconds: float
    score: float
    worth: float
    rule: Rule
    most: int

    def saved(self, days: int) -> float:
        """Return what so many late days save, as a share of the term."""
        lost, still = (self.rule.penalty(self.score, max(0.0, self.seconds - DAY * n)) for n in (0, days))
        return self.worth * (lost - still)


def late_days(course: Course, config: Config, session: Any, student: str) -> dict[str, int]:
    """Return how many late days a student uses for each lesson; only lessons with some are named."""
    term = course.settings.term
    if not term.late_days:
        return {}
    works = sorted(_late_works(course, config, session, student), key=lambda work: (work.due, work.lesson))
    shared = _best if term.late_days_go == BEST else _in_order
    return {lesson: days for lesson, days in shared(works, term.late_days).items() if days}


def _late_works(course: Course, config: Config, session: Any, student: str) -> Iterator[LateWork]:
    query = session.query(SubmittedAssignment).join(Student).filter(Student.id == student)
    for submission in query:
        lesson, due = str(submission.assignment.name), submission.assignment.duedate
        extension, rule = extension_of(course, student, lesson), read_rule(rule_of(course, config, lesson))
        due = extension.due if extension and extension.due and due else due
        if due is None or rule is None or submission.timestamp is None or submission.timestamp <= due:
            continue
        seconds, settings = (submission.timestamp - due).total_seconds(), course.settings
        # Not `submission.max_score`, which has the questions of other tracks, too.
        reachable = sum(float(grade.max_score) for notebook in submission.notebooks for grade in notebook.grades)
        worth = settings.of_lesson(lesson).weight / (reachable or 1.0)
        score, most = sum(float(notebook.score) for notebook in submission.notebooks), settings.most_late_days(lesson)
        yield LateWork(lesson, due, seconds, score, worth, rule, most)


def _in_order(works: list[LateWork], budget: int) -> dict[str, int]:
    """Give each late work, in the order of due dates, the fewest days that save as much as the rest of the budget."""
    used: dict[str, int] = {}
    for work in works:
        able = range(min(work.most, budget) + 1)
        used[work.lesson] = max(able, key=lambda days: (round(work.saved(days), 9), -days))
        budget -= used[work.lesson]
    return used


def _best(works: list[LateWork], budget: int) -> dict[str, int]:
    """Share the budget so that most is saved in all; of equally good ways, the one with the fewest days."""
    # best[n]: what is saved with at most n days on the works so far, the days used, negated, and the way.
    best: list[tuple[float, int, tuple[int, ...]]] = [(0.0, 0, ())] * (budget + 1)
    for work in works:
        saved = [work.saved(days) for days in range(min(work.most, budget) + 1)]
        best = [
            max(
                (round(best[n - days][0] + saved[days], 9), best[n - days][1] - days, (*best[n - days][2], days))
                for days in range(min(n, len(saved) - 1) + 1)
            )
            for n in range(budget + 1)
        ]
    return {work.lesson: days for work, days in zip(works, best[budget][2], strict=True)}
