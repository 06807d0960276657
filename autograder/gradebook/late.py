"""Penalties for late work, by the course's rule (`late_rule`), extensions and exemptions, and late days (`late_days`).

The gradebook holds the due dates; an extension moves the date of one student, and so does a late day. nbgrader's
`AssignLatePenalties` sets the penalty at every autograding. `grade` sets it again for everybody, because marks given by
hand, due dates and rules change later.
"""

from datetime import datetime, timedelta
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Unicode

from autograder.common.course import Course
from autograder.gradebook.late_days import late_days
from autograder.gradebook.late_rule import read_rule
from autograder.intake.roster import Extension, extension_of
from autograder.lesson.release import course_in


class LatePolicy(LateSubmissionPlugin):
    """The plugin that nbgrader asks for the penalty of a late submission; it applies the course's rule."""

    rule = Unicode("", help="What late work costs; see autograder/gradebook/late_rule.py.").tag(config=True)

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
        given, self.lesson_name = extension_of(self.course, student, lesson_name), lesson_name
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            submission = gradebook.find_submission(lesson_name, student)
            days = late_days(self.course, self.config, gradebook.db, student).get(lesson_name, 0)
            if extend(submission, given, days):
                gradebook.db.commit()
            if unknown_time(submission):
                self.log.warning("When %a handed in is not known: no penalty could be found.", student)
            penalties = [notebook.late_submission_penalty for notebook in submission.notebooks]
            if submission.total_seconds_late <= 0 and not any(penalties):
                return nb, resources  # nbgrader's own step would change nothing
        made: tuple[NotebookNode, ResourcesDict] = super().preprocess(nb, resources)
        return made

    def init_plugin(self) -> None:
        super().init_plugin()
        own = self.course.settings.late_rule(self.lesson_name)
        if own is not None and isinstance(self.plugin_inst, LatePolicy):
            self.plugin_inst.rule = own


def extend(submission: Any, given: Extension | None, days: int = 0) -> bool:
    """Set a submission's extension to the one that was granted and `days` late days; return whether it changed."""
    changed, submission.extension = has_moved(submission, given, days), _extension(submission, given, days)
    return changed


def has_moved(submission: Any, given: Extension | None, days: int = 0) -> bool:
    """Return whether a submission's extension in the gradebook differs from what was granted."""
    return bool(submission.extension != _extension(submission, given, days))


def _extension(submission: Any, given: Extension | None, days: int) -> timedelta | None:
    due: datetime | None = submission.assignment.duedate
    if not due:
        return None
    granted = given.due - due if given and given.due else timedelta()
    return granted + timedelta(days=days) or None


def unknown_time(submission: SubmittedAssignment) -> bool:
    """Return whether a submission has a due date but no known time."""
    return submission.timestamp is None and submission.duedate is not None
