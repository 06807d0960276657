"""Reads the course's own lists of its students, written in a spreadsheet or by hand. Imports nothing heavy.

students.csv      id,first_name,last_name,email,lms_user_id,names    names: other names on platforms, with ; between
extensions.csv    id,lesson,due,excused                              an empty lesson means all of them
"""

import csv
import functools
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.common.errors import CourseError

STUDENTS, EXTENSIONS = "students.csv", "extensions.csv"
YES = ("yes", "y", "true", "1", "x", "excused")


@dataclass(frozen=True)
class Extension:
    """A student's own due date (UTC), None if there is no other; and whether the student need not hand in."""

    due: datetime | None
    excused: bool


def plain(name: str) -> str:
    """Return a name in a form in which its spellings agree: without accents, case, punctuation and order of words."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    bare = "".join(sign for sign in unicodedata.normalize("NFD", folded) if not unicodedata.combining(sign))
    words = "".join(sign if sign.isalnum() else " " for sign in bare).split()
    return " ".join(sorted(words))


class Roster:
    """The students by each of their names. Two students may share a name."""

    def __init__(self, rows: list[dict[str, str]]):
        self.rows = {row["id"]: row for row in rows if row.get("id")}
        self.by_name: dict[str, set[str]] = {}
        for student, row in self.rows.items():
            first, last = row.get("first_name", ""), row.get("last_name", "")
            names = [student, row.get("lms_user_id", ""), row.get("email", ""), *row.get("names", "").split(";")]
            names += [f"{first} {last}", f"{last}{first}"] if first and last else []
            for name in names:
                if key := plain(name):
                    self.by_name.setdefault(key, set()).add(student)

    @classmethod
    def of(cls, course: Path) -> "Roster":
        """Read a course's students; without a file there are none. Raises: CourseError."""
        return cls(_rows(course / STUDENTS))

    def find(self, *names: str) -> set[str]:
        """Return the students whom the first known one of these names may mean."""
        for name in names:
            if found := self.by_name.get(plain(name)):
                return found
        return set()


def extension_of(course: Path, student: str, lesson_name: str) -> Extension | None:
    """Return what a student was granted for a lesson. Raises: CourseError for a line that cannot be read."""
    granted = _granted(course)
    return granted.get((student, lesson_name)) or granted.get((student, ""))


def excused(course: Path, lesson_name: str) -> set[str]:
    """Return the students who need not hand in a lesson, whether or not they have. Raises: CourseError."""
    students = {student for student, _ in _granted(course) if student}
    granted = {student: extension_of(course, student, lesson_name) for student in students}
    return {student for student, extension in granted.items() if extension and extension.excused}


def _granted(course: Path) -> dict[tuple[str, str], Extension]:
    """Return the lines of `extensions.csv` by student and lesson; the lesson "" stands for all of them."""
    path = course / EXTENSIONS
    try:
        status = path.stat()
    except OSError:
        return {}
    return _extensions(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=4)
def _extensions(path: Path, changed: int, size: int) -> dict[tuple[str, str], Extension]:
    from nbgrader.utils import parse_utc

    found = {}
    for number, row in enumerate(_rows(path), start=2):
        due = row.get("due", "")
        try:
            time = parse_utc(due) if due else None
        except (ValueError, OverflowError):
            raise CourseError(f"{path}, line {number}: {due!r} is no time; write 2030-01-31 23:59 UTC.") from None
        excused = row.get("excused", "").casefold() in YES
        found[row["id"], row.get("lesson", "")] = Extension(time, excused)
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    """Return a table's lines, each by column, fields stripped of spaces. Raises: CourseError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except FileNotFoundError:
        return []
    except (UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path} cannot be read ({error}); save it as CSV in UTF-8.") from None
    cleaned = [{(k or "").strip(): v.strip() for k, v in row.items() if isinstance(v, str)} for row in rows]
    if rows and "id" not in cleaned[0]:
        raise CourseError(f"{path} has no column 'id'; its first line names the columns, with commas between.")
    return cleaned
