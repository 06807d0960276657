"""Reads students' marks from nbgrader's gradebook, and brings extensions and penalties in it up to date."""

import contextlib
import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbgrader.api import Gradebook

from autograder.common.course import Course
from autograder.common.paths import gradebook_file, is_missing
from autograder.essays.feedback import state_of
from autograder.gradebook.configuration import configuration, gradebook_url
from autograder.gradebook.copies import refuse_to_replace
from autograder.gradebook.late import Lateness, has_moved, unknown_time
from autograder.gradebook.trouble import one_sentence
from autograder.intake.roster import extension_of
from autograder.speed.gradebook import load_at_once, one_engine


@dataclass
class StudentMarks:
    """One student's marks in the gradebook; the scores are those that formgrader shows."""

    scores: dict[str, float] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)  # cells that a person has yet to grade
    max_score: float = 0.0
    penalty: float = 0.0
    time: datetime | None = None
    seconds_late: float = 0.0
    no_time: bool = False  # whether the time of submission is unknown although there is a due date
    excused: bool = False
    hash: str = ""  # a hash of the marks, comments and rubric's items that feedback shows

    @property
    def total(self) -> float:
        """The points earned so far, less the penalty."""
        return max(0.0, sum(self.scores.values()) - self.penalty)


@contextlib.contextmanager
def opened(course: Course) -> Iterator[Gradebook | None]:
    """Yield the course's gradebook, or None when there is none yet. Raises: GradingError, for a lost one, too."""
    url = gradebook_url(course)
    path = gradebook_file(url)
    if path is not None and is_missing(path):
        refuse_to_replace(course, path)
        yield None
        return
    with one_sentence(), Gradebook(url) as gradebook:
        yield gradebook


def standings(course: Course, lesson_name: str, students: Collection[str] | None = None) -> dict[str, StudentMarks]:
    """Return the marks of each student, or of each of `students`, who has handed in. Raises: GradingError."""
    with opened(course) as gradebook:
        if gradebook is None:
            return {}
        # `_cells` keeps the cells in the session's memory.
        submissions, _cells = load_at_once(gradebook, lesson_name, students)
        return {submission.student.id: _standing(course, lesson_name, submission) for submission in submissions}


def _standing(course: Course, lesson_name: str, submission: Any) -> StudentMarks:
    notebooks = list(submission.notebooks)
    grades = [grade for notebook in notebooks for grade in notebook.grades]
    comments = sorted([c.name, c.comment] for notebook in notebooks for c in notebook.comments)
    extension = extension_of(course, submission.student.id, lesson_name)
    standing = StudentMarks(
        {grade.name: float(grade.score) for grade in grades},
        {grade.name for grade in grades if grade.needs_manual_grade},
        sum(float(grade.max_score) for grade in grades),
        sum(float(notebook.late_submission_penalty or 0) for notebook in notebooks),
        submission.timestamp,
        float(submission.total_seconds_late),
        unknown_time(submission),
        bool(extension and extension.excused),
    )
    items = state_of(course, lesson_name, submission.student.id)
    shown = [standing.scores, sorted(standing.waiting), standing.max_score, standing.penalty, comments, *items]
    standing.hash = hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()
    return standing


def marks(course: Course, lesson_name: str) -> dict[str, dict[str, float | None]]:
    """Return each student's scores by cell; None for a cell that a person has yet to grade. Raises: GradingError."""
    return {
        student: {name: None if name in standing.waiting else score for name, score in standing.scores.items()}
        for student, standing in standings(course, lesson_name).items()
    }


def renew_penalties(course: Course, lesson_name: str) -> None:
    """Bring extensions and late penalties up to date, because the rule, due dates or marks by hand may have changed.

    With late days, those of all lessons, because a day that is used here is not used elsewhere.
    """
    for name in course.lessons if course.settings.term.late_days else (lesson_name,):
        _renew_penalties(course, name)


def _renew_penalties(course: Course, lesson_name: str) -> None:
    config, url = configuration(course), gradebook_url(course)
    with one_sentence(), one_engine():
        with opened(course) as gradebook:
            submissions = load_at_once(gradebook, lesson_name)[0] if gradebook else []
            students = [s.student.id for s in submissions if _penalty_may_change(course, lesson_name, s)]
        for student in students:
            submitted = {"notebook": lesson_name, "assignment": lesson_name, "student": student, "db_url": url}
            step = Lateness(config=config)
            step.preprocess(nbformat.v4.new_notebook(), ResourcesDict(nbgrader=submitted))


def _penalty_may_change(course: Course, lesson_name: str, submission: Any) -> bool:
    """Return whether a submission's penalty may have to change: it is or was late, or its due date has moved."""
    extension = extension_of(course, submission.student.id, lesson_name)
    late = submission.total_seconds_late > 0 or unknown_time(submission)
    return late or has_moved(submission, extension) or any(n.late_submission_penalty for n in submission.notebooks)
