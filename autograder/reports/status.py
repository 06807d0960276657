"""Counts for every lesson of a course how many students are at each stage, from collected to feedback returned."""

from dataclasses import dataclass
from pathlib import Path

from autograder.common.paths import lesson_names
from autograder.gradebook.books import standings
from autograder.gradebook.configuration import configuration
from autograder.gradebook.state import Done
from autograder.intake.folder import submissions
from autograder.intake.roster import Roster, excused


@dataclass(frozen=True)
class Status:
    """How many students are at each stage of one lesson."""

    lesson: str
    released: bool
    collected: int
    refused: int
    graded: int
    changed: int  # handed in again since they were graded
    waiting: int  # with an answer that a person has still to grade
    feedback: int  # written, and up to date
    returned: int  # in the exchange, for students to fetch
    excused: int  # whether or not they have handed in
    missing: int  # of students.csv, neither handed in nor excused


def status(course: Path) -> list[Status]:
    """Return the status of every lesson. Raises: GradingError for a gradebook that cannot be read."""
    return [_of(course, name) for name in lesson_names()]


def _of(course: Path, name: str) -> Status:
    found, refused = submissions(course, name)
    books, done = standings(course, name), Done(course, name)
    current = [student for student, path in found.items() if student in books and done.is_unchanged(student, path)]
    unasked = excused(course, name)
    fresh = [student for student, one in books.items() if done.feedback_is_from(student, one.hash)]
    return Status(
        lesson=name,
        released=(_exchange(course) / "outbound" / name).is_dir(),
        collected=len(found),
        refused=len(refused),
        graded=len(current),
        changed=len(found) - len(current),
        waiting=sum(bool(one.waiting) for one in books.values()),
        feedback=len(fresh),
        returned=_returned(course, name),
        excused=len(unasked),
        missing=len(set(Roster.of(course).rows) - set(found) - set(books) - unasked),
    )


def _exchange(course: Path) -> Path:
    config = configuration(course)
    root = config.Exchange.get("root", "/usr/local/share/nbgrader/exchange")
    return Path(str(root), str(config.CourseDirectory.get("course_id", "")))


def _returned(course: Path, name: str) -> int:
    """Count this lesson's feedback pages in the exchange, whose names are made of the submissions' secrets."""
    from nbgrader.utils import notebook_hash

    from autograder.intake.folder import secret_of

    pages, count = _exchange(course) / "feedback", 0
    for folder in (course / "feedback").glob(f"*/{name}"):
        secret = secret_of(folder)
        count += bool(secret) and (pages / f"{notebook_hash(secret=secret, notebook_id=name)}.html").is_file()
    return count
