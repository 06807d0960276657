"""Reads the course's own lists of its students, written in a spreadsheet or by hand. Imports nothing heavy.

students.csv      id,first_name,last_name,email,lms_user_id,names    names: other names on platforms, with ; between
extensions.csv    id,lesson,due,excused                              an empty lesson means all of them

A line with an unknown student, lesson or word is an error that names the line: passed over in silence, the line would
cost a student marks.
"""

import functools
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.common.times import read_time
from autograder.intake.tables import TableRow, rows

STUDENTS, EXTENSIONS = "students.csv", "extensions.csv"
# What people write under `excused`, in small letters.
YES = ("yes", "y", "true", "1", "x", "excused", "oui", "o", "vrai", "dispensé", "dispensée", "是", "免", "免交")
NO = ("", "no", "n", "false", "0", "non", "faux", "否")


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
    def of(cls, course: Course) -> "Roster":
        """Read a course's students; without a file there are none. Raises: CourseError."""
        path = course / STUDENTS
        lines = rows(path, "id")
        for row in lines:
            if not row["id"]:
                raise CourseError(f"{path}, line {row.number}: there is no id; write one, or delete the line.")
        ids = [row["id"] for row in lines]
        for row in lines:
            if ids.count(row["id"]) > 1:
                raise CourseError(f"{path}, line {row.number}: {row['id']!r} stands there twice; delete one line.")
        return cls([row.fields for row in lines])

    def find(self, *names: str) -> set[str]:
        """Return the students who have the first of these names that anybody has."""
        for name in names:
            if students := self.by_name.get(plain(name)):
                return students
        return set()


def extension_of(course: Course, student: str, lesson_name: str) -> Extension | None:
    """Return a student's extension or exemption for a lesson. Raises: CourseError for a line that cannot be read."""
    granted = _granted(course)
    return granted.get((student, lesson_name)) or granted.get((student, ""))


def excused(course: Course, lesson_name: str) -> set[str]:
    """Return the students who need not hand in a lesson, whether or not they have. Raises: CourseError."""
    students = {student for student, _ in _granted(course)}
    granted = {student: extension_of(course, student, lesson_name) for student in students}
    return {student for student, extension in granted.items() if extension and extension.excused}


def _granted(course: Course) -> dict[tuple[str, str], Extension]:
    """Return the lines of `extensions.csv` by student and lesson; the lesson "" means all of them."""
    changed = []  # times and sizes of the files, the key under which `_extensions` keeps what it read
    for name in (EXTENSIONS, STUDENTS):
        try:
            status = (course / name).stat()
        except OSError:
            changed.append((0, 0))
        else:
            changed.append((status.st_mtime_ns, status.st_size))
    return _extensions(course, tuple(changed), course.settings.timezone)


@functools.lru_cache(maxsize=4)
def _extensions(course: Course, changed: tuple[tuple[int, int], ...], zone: str) -> dict[tuple[str, str], Extension]:
    students, lessons = set(Roster.of(course).rows), course.lessons
    granted = {}
    for row in rows(course / EXTENSIONS, "id"):
        try:
            _require_known(row, students, lessons)
            due = read_time(row["due"], zone) if row["due"] else None
        except CourseError as error:
            raise CourseError(f"{course / EXTENSIONS}, line {row.number}: {error}") from None
        granted[row["id"], row["lesson"]] = Extension(due, row["excused"].casefold() in YES)
    return granted


def _require_known(row: TableRow, students: set[str], lessons: Collection[str]) -> None:
    """Raises: CourseError if a line names an unknown student, lesson or word."""
    student, lesson, word = row["id"], row["lesson"], row["excused"]
    if not student or (students and student not in students):
        raise CourseError(f"there is no student {student!r} in {STUDENTS}; write the id as it stands there.")
    if lesson and lesson not in lessons:
        raise CourseError(f"there is no lesson {lesson!r}; the lessons are: {', '.join(lessons)}.")
    if word.casefold() not in (*YES, *NO):
        raise CourseError(f"{word!r} under excused is neither yes nor no; write yes, or leave it empty.")
