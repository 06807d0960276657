"""Counts for every lesson of a course how many students are at each stage, from released to feedback returned."""

from dataclasses import dataclass
from pathlib import Path

from autograder.common.course import Course
from autograder.gradebook.books import standings
from autograder.gradebook.configuration import configuration
from autograder.gradebook.roll import EXCUSED, MISSING, WAITS, roll_of
from autograder.gradebook.state import Done
from autograder.intake.folder import submissions
from autograder.intake.notebook import UNREADABLE, WRONG_LESSON
from autograder.lti.outbox import unsent


@dataclass(frozen=True)
class Status:
    """The status of one lesson; each number counts students who ..."""

    lesson: str
    released: bool
    collected: int  # have a submission
    graded: int  # have a graded submission that is unchanged since
    changed: int  # have a submission that was never graded, or that has changed since
    waiting: int  # have an answer that a person has still to grade
    feedback: int  # have feedback that is up to date
    returned: int  # have feedback in the exchange, to fetch
    unreadable: int  # handed in a file that cannot be read, or another lesson's notebook
    excused: int  # are excused, whether or not they have handed in
    missing: int  # are in students.csv, and have neither handed in nor are excused
    strangers: int  # handed in, and are not in students.csv
    unsent: int | None = None  # have a final mark that is not on the learning platform; None without a platform


def status(course: Course) -> list[Status]:
    """Return the status of every lesson. Raises: GradingError for a gradebook that cannot be read."""
    return [_status_of(course, name) for name in course.in_order()]


def _status_of(course: Course, name: str) -> Status:
    paths, _ = submissions(course, name)
    roll, marks, done = roll_of(course, name), standings(course, name), Done(course, name)
    paths = {student: path for student, path in paths.items() if student in roll.members}
    current = [student for student, path in paths.items() if student in marks and done.is_unchanged(student, path)]
    # `current` includes unreadable submissions, which are noted as graded and not tried again: they are subtracted.
    unreadable = set(roll.of_state(UNREADABLE, WRONG_LESSON))
    up_to_date = [s for s in marks if s in roll.members and done.feedback_is_from(s, marks[s].hash)]
    return Status(
        lesson=name,
        released=(_exchange(course) / "outbound" / name).is_dir(),
        collected=len(paths),
        graded=len(current) - len(unreadable & set(current)),
        changed=len(paths) - len(current),
        waiting=len(roll.of_state(WAITS)),
        feedback=len(up_to_date),
        returned=_returned(course, name),
        unreadable=len(unreadable),
        excused=len(roll.of_state(EXCUSED)),
        missing=len(roll.of_state(MISSING)),
        strangers=len(roll.strangers),
        unsent=unsent(course, name, roll),
    )


def _exchange(course: Course) -> Path:
    config = configuration(course)
    root = config.Exchange.get("root", "/usr/local/share/nbgrader/exchange")
    return Path(str(root), str(config.CourseDirectory.get("course_id", "")))


def _returned(course: Course, name: str) -> int:
    """Count this lesson's feedback pages in the exchange; a page's name is a hash of its submission's secret."""
    from nbgrader.utils import notebook_hash

    from autograder.intake.folder import secret_of

    pages, count = _exchange(course) / "feedback", 0
    for folder in (course / "feedback").glob(f"*/{name}"):
        secret = secret_of(folder)
        count += bool(secret) and (pages / f"{notebook_hash(secret=secret, notebook_id=name)}.html").is_file()
    return count
