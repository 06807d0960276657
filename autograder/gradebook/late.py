"""Penalties for late work: the course's rule in one line, extensions and exemptions by student.

    c.LatePolicy.rule = "10 % a day, grace 15 min, cap 50 %"     of the points earned, for each day begun
    c.LatePolicy.rule = "0.5 points an hour"

Within the grace period nothing is lost; beyond it, lateness counts from the due date. The gradebook holds the due
dates; an extension moves the date of one student. nbgrader's `AssignLatePenalties` sets the penalty at every
autograding. `grade` sets it again for everybody, because marks given by hand, due dates and the rule change later.
"""

import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Unicode

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.intake.roster import Extension, extension_of
from autograder.lesson.release import course_in
from utils.common.messages import N_, Message

SECONDS = {"min": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600, "day": 86400, "days": 86400}
NUMBER = r"(\d+(?:\.\d+)?)"
RATE = re.compile(rf"{NUMBER} ?(%|points?) (?:an?|per) (hour|day)")
GRACE = re.compile(rf"grace {NUMBER} ?({'|'.join(SECONDS)})")
CAP = re.compile(rf"cap {NUMBER} ?(%|points?)")


@dataclass(frozen=True)
class Rule:
    """The penalty: `rate`, a share of the points earned or a number of points, for each `unit` of seconds begun."""

    rate: float
    share: bool
    unit: int
    grace: float = 0.0
    cap: float = math.inf
    cap_share: bool = True

    def penalty(self, score: float, seconds: float) -> float:
        """Return the points that are lost `seconds` after the due date, at most the score."""
        if seconds <= self.grace:
            return 0.0
        lost = self.rate * math.ceil(seconds / self.unit) * (score if self.share else 1)
        most = self.cap * (score if self.cap_share else 1) if self.cap < math.inf else math.inf
        return min(lost, most, score)


def read_rule(text: str) -> Rule | None:
    """Return the rule in a line of text, None for an empty line. Raises: GradingError when it cannot be read."""
    if not text.strip():
        return None
    first, *others = (part.strip() for part in text.split(","))
    rate, values = RATE.fullmatch(first), dict[str, Any]()
    known = rate is not None
    for part in others:
        if grace := GRACE.fullmatch(part):
            values["grace"] = float(grace[1]) * SECONDS[grace[2]]
        elif cap := CAP.fullmatch(part):
            values |= {"cap": float(cap[1]) / (100 if cap[2] == "%" else 1), "cap_share": cap[2] == "%"}
        else:
            known = False
    if rate is None or not known:
        raise GradingError(
            f"The rule for late work {text!r} cannot be read; write for instance "
            '"10 % a day, grace 15 min, cap 50 %" or "0.5 points an hour, cap 3 points" in c.LatePolicy.rule.'
        )
    share = rate[2] == "%"
    return Rule(float(rate[1]) / (100 if share else 1), share, SECONDS[rate[3]], **values)


def described(text: str, language: str) -> str:
    """Return a course's rule as students read it, "" without a rule. Raises: GradingError."""
    if (rule := read_rule(text)) is None:
        return ""
    unit = N_("{lost} for each hour begun") if rule.unit == SECONDS["hour"] else N_("{lost} for each day begun")
    parts = [Message(unit, {"lost": _lost(rule.rate, rule.share, language)})]
    if rule.cap < math.inf:
        parts.append(Message(N_("at most {lost}"), {"lost": _lost(rule.cap, rule.cap_share, language)}))
    if rule.grace:
        parts.append(Message(N_("none in the first {minutes} min"), {"minutes": f"{rule.grace / 60:g}"}))
    return ", ".join(part.render(language) for part in parts)


def _lost(number: float, share: bool, language: str) -> str:
    if share:
        return f"{100 * number:g} %"
    return Message(N_("{points} points"), {"points": f"{number:g}"}).render(language)


class LatePolicy(LateSubmissionPlugin):
    """The plugin that nbgrader asks for the penalty of a late submission; it applies the course's rule."""

    rule = Unicode("", help="What late work costs; see autograder/gradebook/late.py.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        rule = read_rule(self.rule)
        return rule.penalty(score, total_seconds_late) if rule else None


class Lateness(AssignLatePenalties):
    """Writes the student's extension into the gradebook, then lets nbgrader set or remove the penalty."""

    @property
    def course(self) -> Course:
        return course_in(self.config)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        lesson_name, student = resources["nbgrader"]["assignment"], resources["nbgrader"]["student"]
        given = extension_of(self.course, student, lesson_name)
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            submission = gradebook.find_submission(lesson_name, student)
            if extend(submission, given):
                gradebook.db.commit()
            if unknown_time(submission):
                self.log.warning("When %a handed in is not known: no penalty could be found.", student)
            penalties = [notebook.late_submission_penalty for notebook in submission.notebooks]
            if submission.total_seconds_late <= 0 and not any(penalties):
                return nb, resources  # nbgrader's own step would change nothing
        made: tuple[NotebookNode, ResourcesDict] = super().preprocess(nb, resources)
        return made


def extend(submission: Any, given: Extension | None) -> bool:
    """Set a submission's extension to the one that was granted, or to none; return whether that changed anything."""
    changed, submission.extension = has_moved(submission, given), _extension(submission, given)
    return changed


def has_moved(submission: Any, given: Extension | None) -> bool:
    """Return whether a submission's extension in the gradebook differs from the one that was granted."""
    return bool(submission.extension != _extension(submission, given))


def _extension(submission: Any, given: Extension | None) -> timedelta | None:
    due: datetime | None = submission.assignment.duedate
    return given.due - due if due and given and given.due else None


def unknown_time(submission: SubmittedAssignment) -> bool:
    """Return whether a submission has a due date but no known time."""
    return submission.timestamp is None and submission.duedate is not None
