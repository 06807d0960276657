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


@dataclass(frozen=True)
class Status:
    """How many students are at each stage of one lesson."""

    lesson: str
    released: bool
    collected: int
    graded: int
    changed: int  # never graded, or handed in again since
    waiting: int  # with an answer that a person has still to grade
    feedback: int  # students whose feedback is written and up to date
    returned: int  # in the exchange, for students to fetch
    unreadable: int  # cannot be read, or are another lesson's notebook
    excused: int  # whether or not they have handed in
    missing: int  # of students.csv, neither handed in nor excused
    strangers: int  # handed in, and not in students.csv


def status(course: Course) -> list[Status]:
    """Return the status of every lesson. Raises: GradingError for a gradebook that cannot be read."""
    return [_of(course, name) for name in course.in_order()]


def _of(course: Course, name: str) -> Status:
    paths, _ = submissions(course, name)
    roll, books, done = roll_of(course, name), standings(course, name), Done(course, name)
    paths = {student: path for student, path in paths.items() if student in roll.members}
    current = [student for student, path in paths.items() if student in books and done.is_unchanged(student, path)]
    # `current` has the unreadable ones too, because they are noted as graded and not tried again: subtract them.
    unreadable = set(roll.of_state(UNREADABLE, WRONG_LESSON))
    fresh = [s for s, marks in books.items() if s in roll.members and done.feedback_is_from(s, marks.hash)]
    return Status(
        lesson=name,
        released=(_exchange(course) / "outbound" / name).is_dir(),
        collected=len(paths),
        graded=len(current) - len(unreadable & set(current)),
        changed=len(paths) - len(current),
        waiting=len(roll.of_state(WAITS)),
        feedback=len(fresh),
        returned=_returned(course, name),
        unreadable=len(unreadable),
        excused=len(roll.of_state(EXCUSED)),
        missing=len(roll.of_state(MISSING)),
        strangers=len(roll.strangers),
    )


def _exchange(course: Course) -> Path:
    config = configuration(course)
    root = config.Exchange.get("root", "/usr/local/share/nbgrader/exchange")
    return Path(str(root), str(config.CourseDirectory.get("course_id", "")))


def _returned(course: Course, name: str) -> int:
    """Count this lesson's feedback pages in the exchange, whose names are made of the submissions' secrets."""
    from nbgrader.utils import notebook_hash

    from autograder.intake.folder import secret_of

    pages, count = _exchange(course) / "feedback", 0
    for folder in (course / "feedback").glob(f"*/{name}"):
        secret = secret_of(folder)
        count += bool(secret) and (pages / f"{notebook_hash(secret=secret, notebook_id=name)}.html").is_file()
    return count
