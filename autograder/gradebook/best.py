"""Chooses which of a student's attempts counts, and puts that attempt into `submitted/`, before a class is graded.

With `keep = "best"`, all attempts are examined, and the one that counts has the most points from its tests, minus its
penalty for lateness; of equal attempts, the later counts. Essays and late days do not matter for the choice. nbgrader
sees only the attempt that counts, so marks by hand and the ledger know no other.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

from nbgrader.api import MissingEntry

from autograder.common.course import Course
from autograder.common.course_file import BEST
from autograder.common.errors import SandboxLost
from autograder.common.nodes import code_by_id
from autograder.course.own import bring_up_to_date
from autograder.examine.examiner import examine
from autograder.examine.ready_made import refuse_ready_made
from autograder.examine.result import Result
from autograder.examine.store import ResultStore
from autograder.gradebook.books import opened
from autograder.gradebook.configuration import configuration
from autograder.gradebook.late_rule import read_rule, rule_of
from autograder.gradebook.secret import course_secret
from autograder.gradebook.state import Done
from autograder.intake import attempts
from autograder.intake.folder import strangers, submitted_at
from autograder.intake.notebook import take_in_submission
from autograder.intake.roster import extension_of, not_asked
from autograder.lesson.text import Lesson
from autograder.sandbox.parent import shared_sandbox

# A function that examines notebooks, by name, into the result store.
Fill = Callable[[dict[str, Path]], object]


def choose_all(course: Course, lesson_name: str, fill: Callable[..., object]) -> None:
    """Put into submitted/ the attempt of each listed student that counts. Raises: OSError, WorkbookError.

    fill: examines notebooks of a lesson into the result store, as `grade` does.
    """
    lesson, language = Lesson.load(lesson_name, course), configuration(course).Translate.get("language", "en")
    bring_up_to_date(lesson)
    with attempts.opened(course, lesson_name) as kept:
        unknown = strangers(course, kept.students)
        students = [student for student in kept.students if student not in unknown]
        secret = course_secret(course)
        choose(lesson, kept, students, partial(fill, lesson, secret=secret, force=False, language=language))


def choose(lesson: Lesson, kept: attempts.Attempts, students: Collection[str], fill: Fill) -> None:
    """Put into submitted/, for each of these students, the attempt that counts. Raises: OSError, WorkbookError."""
    kept.take_up(attempts.HAND)  # what an instructor put there would be lost otherwise
    if kept.rules.keep == BEST:
        done, due = Done(lesson.course, lesson.name), [one for student in students for one in kept.due(student)]
        basis = {one: done.basis(kept.path(one)) for one in due}
        new = [one for one in due if kept.rows.points.get(one.key, [""])[0] != basis[one]]
        if new:
            fill({one.key: kept.path(one) for one in new})
        for one in new:
            try:
                result = result_of(lesson, kept.path(one))
                kept.rows.points[one.key] = [basis[one], points(result), 0.0]
                kept.rows.full[one.key] = [each.id for each in result.questions if each.points == each.max_points]
            except SandboxLost:  # stopped at another place in each try: no mark, so it is not the best one
                kept.rows.points[one.key] = ["", 0.0, 0.0]
        _less_lateness(lesson, kept, due)
    for student in students:
        kept.place(student)


def result_of(lesson: Lesson, path: Path) -> Result:
    """Return the result of a notebook STUDENT/NUMBER/LESSON.ipynb, from the store, else examined here.

    Raises: SandboxLost.
    """
    config = configuration(lesson.course)
    notebook = take_in_submission(path, lesson, config.Translate.get("language", "en")).notebook
    result = examine(notebook, lesson, shared_sandbox(lesson.course), ResultStore(), course_secret(lesson.course))
    refuse_ready_made(result, lesson, code_by_id(notebook), list(config.Examine.get("not_allowed", [])))
    result.leave_out(not_asked(lesson.course, lesson.name, path.parent.parent.name))
    return result


def points(result: Result) -> float:
    """Return the points that the tests give."""
    return sum(question.points or 0.0 for question in result.questions)


def _less_lateness(lesson: Lesson, kept: attempts.Attempts, due: list[attempts.Attempt]) -> None:
    """Record the value of each attempt: its points minus its penalty for lateness."""
    course, name = lesson.course, lesson.name
    rule, date = read_rule(rule_of(course, configuration(course), name)), _due_date(lesson)
    for one in due:
        row, extension = kept.rows.points[one.key], extension_of(course, one.student, name)
        ends, handed_in = (extension and extension.due) or date, submitted_at(kept.path(one).parent)[0]
        late = (handed_in - ends).total_seconds() if ends and handed_in else 0.0
        row[2] = row[1] - (rule.penalty(row[1], late) if rule and late > 0 else 0.0)


def _due_date(lesson: Lesson) -> datetime | None:
    with opened(lesson.course) as gradebook:
        try:
            return cast(datetime | None, gradebook.find_assignment(lesson.name).duedate) if gradebook else None
        except MissingEntry:
            return None
