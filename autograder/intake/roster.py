"""Reads the course's own lists of its students, written in a spreadsheet or by hand. Imports nothing heavy.

students.csv      id,first_name,last_name,email,lms_user_id,names,group,track
                  names: other names, with ; between them; track: a part of the class with questions of its own
                  (else `section`), see `only` in `course.toml`
                  or as Moodle, Canvas or Blackboard export their lists, see `columns`
extensions.csv    id,lesson,due,excused                                    an empty lesson means all of them

A line with an unknown student, lesson or word is an error that names the line: passed over in silence, the line would
cost a student marks.
"""

import functools
import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from autograder.common.course import Course
from autograder.common.course_file import NAME as COURSE_FILE
from autograder.common.errors import CourseError
from autograder.common.sentences import T_
from autograder.common.times import read_time
from autograder.intake.columns import PEOPLE, named
from autograder.intake.names import joined, letters, plain, shortened, whole, words
from autograder.intake.tables import TableRow, rows
from utils.common.messages import N_

STUDENTS, EXTENSIONS = "students.csv", "extensions.csv"
# The columns of `students.csv` of which each value belongs to one student.
LOGINS = ("username", "sis_user_id", "id_number", "email")  # the login first: the exchange knows students by it
IDENTIFYING = ("lms_user_id", *LOGINS)
# What people write under `excused`, in small letters.
YES = ("yes", "y", "true", "1", "x", "excused", "oui", "o", "vrai", "dispensé", "dispensée", "是", "免", "免交")
NO = ("", "no", "n", "false", "0", "non", "faux", "否")


@dataclass(frozen=True)
class Extension:
    """A student's own due date (UTC), None without one; and whether the student need not hand in."""

    due: datetime | None
    excused: bool


class Roster:
    """The students by each of their names, and their groups. Two students may share a name."""

    def __init__(self, rows: list[dict[str, str]]):
        self.rows = {row["id"]: row for row in rows if row.get("id")}

    @classmethod
    def of(cls, course: Course) -> "Roster":
        """Return a course's students, read anew if their list has changed; without a file there are none.

        Nobody changes the rows. Raises: CourseError.
        """
        return _read(course, _changed(course, STUDENTS))

    @classmethod
    def read(cls, course: Course) -> "Roster":
        """Read a course's students. Raises: CourseError."""
        path = course / STUDENTS
        lines = _with_ids([row for row in rows(path, known=_known) if not _is_canvas_own(row)])
        ids = Counter(row["id"] for row in lines)
        for row in lines:
            if wrong := wrong_id(row["id"]):
                raise CourseError("{file}, line {number}: {wrong}", file=path, number=row.number, wrong=wrong)
            if ids[row["id"]] > 1:
                about = {"file": path, "number": row.number, "id": row["id"]}
                raise CourseError("{file}, line {number}: {id!r} is there twice; delete one line.", **about)
        return cls([with_names(row.fields) for row in lines])

    @functools.cached_property
    def by_name(self) -> dict[str, set[str]]:
        """The students by each name that belongs to them alone: ids, addresses, `names`."""
        found: dict[str, set[str]] = {}
        for student, row in self.rows.items():
            own = [student, *(row.get(column, "") for column in IDENTIFYING), *row.get("names", "").split(";")]
            for key in {plain(name) for name in own} - {""}:
                found.setdefault(key, set()).add(student)
        return found

    @functools.cached_property
    def by_spelling(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """The students by the spellings of their whole names, and by those with parts left out."""
        found: tuple[dict[str, set[str]], dict[str, set[str]]] = {}, {}
        names = {student: (row.get("first_name", ""), row.get("last_name", "")) for student, row in self.rows.items()}
        number = Counter(word for first, last in names.values() for word in {*words(first), *words(last)})
        for student, row in self.rows.items():
            first, last = names[student]
            aliases = {key for name in row.get("names", "").split(";") for key in (joined(name), letters(name))}
            # Some people have one name alone, which is whole if it is not a part of another's.
            is_whole = (first and last) or number[plain(first + last)] <= 1
            complete = ((whole(first, last) if is_whole else set()) | aliases) - {""}
            for keys, table in zip((complete, shortened(first, last) - complete), found, strict=True):
                for key in keys:
                    table.setdefault(key, set()).add(student)
        return found

    def find(self, *names: str) -> set[str]:
        """Return the students who have the first of these names that anybody has; shortened names come last."""
        for name in names:
            if name in self.rows:
                return {name}
            complete = self.by_spelling[0]
            same = self.by_name.get(plain(name), set()) | complete.get(plain(name), set())
            if found := same or complete.get(joined(name), set()) or complete.get(letters(name), set()):
                return found
        keys = (key for name in names for key in (plain(name), joined(name), letters(name)))
        return next((students for key in keys if (students := self.by_spelling[1].get(key))), set())


@functools.lru_cache(maxsize=4)
def _read(course: Course, changed: tuple[tuple[int, ...], ...]) -> Roster:
    return Roster.read(course)


def wrong_id(student: str) -> str:
    """Return why an id cannot be that of a student's folder, "" if it can."""
    if not student:
        return T_("there is no id; write one, or delete the line.")
    if re.fullmatch(r"\d([.,]\d+)?E\+\d+|\d+\.0|#+", student, re.IGNORECASE):
        return T_(
            "a spreadsheet has spoilt the number {id!r}; format that column as text there, and fill it in again.",
            id=student,
        )
    if signs := re.findall(r"[/\\;:*?\[\]\x00-\x1f\x7f]", student) or re.findall(r"^\.+", student):
        because = N_("{id!r} cannot be an id, because of {sign!r}; write another id, and this one into `names`.")
        return T_(because, id=student, sign=signs[0])
    return ""


def with_names(row: dict[str, str]) -> dict[str, str]:
    """Return a student's line with first and last name, if the list has the whole name in one column."""
    whole_name = row.get("full_name", "")
    if not whole_name or row.get("first_name") or row.get("last_name"):
        return row
    last, comma, first = whole_name.partition(",")
    if not comma:
        first, _, last = whole_name.partition(" ")
    return row | {"first_name": first.strip(), "last_name": last.strip()}


def _known(heads: list[str]) -> list[str]:
    """Return the workbook's names of the columns of a list of students. Raises: CourseError if none can be the id."""
    names = named(heads, PEOPLE)
    if "full_name" in names and {"username", "sis_user_id"} & set(names):
        names = ["lms_user_id" if name == "id" else name for name in names]  # Canvas' own number
    if not {"id", *LOGINS} & set(names):
        raise CourseError(
            "{file} has no column 'id'; its first line names the columns: id, first_name, last_name, email, "
            "lms_user_id, names, group, track; or those of Moodle's participants, of Canvas' or Blackboard's gradebook "
            "(Username, ID number, Email address, First name, Last name, Student, SIS Login ID, …), in English, "
            "French, German or Chinese.",
            file=STUDENTS,
        )
    if wrong := next((name for name in names if names.count(name) > 1), ""):
        about = {"file": STUDENTS, "number": 1, "column": wrong}
        raise CourseError("{file}, line {number}: there are two columns {column!r}; delete one of them.", **about)
    return names


def _with_ids(lines: list[TableRow]) -> list[TableRow]:
    """Return the lines of a platform's list with an id: the first of `LOGINS` that all students have."""
    if not lines or any("id" in row.fields for row in lines):
        return lines
    there = [name for name in LOGINS if name in lines[0].fields]
    instead = next((name for name in there if all(row[name] for row in lines)), there[0])
    return [TableRow(row.number, row.fields | {"id": row[instead]}) for row in lines]


def _is_canvas_own(row: TableRow) -> bool:
    """Return whether a line of Canvas' gradebook is not a student's: empty, of the points, of the test student."""
    if not {"full_name", "section"} <= set(row.fields):
        return False
    return not (row["lms_user_id"] or row["id"]) or row["full_name"] == "Student, Test"


def extension_of(course: Course, student: str, lesson_name: str) -> Extension | None:
    """Return a student's extension or exemption for a lesson. Raises: CourseError for a line that cannot be read."""
    granted = _granted(course)
    return granted.get((student, lesson_name)) or granted.get((student, ""))


def excused(course: Course, lesson_name: str) -> set[str]:
    """Return the students who need not hand in a lesson, whether or not they have. Raises: CourseError."""
    students = {student for student, _ in _granted(course)}
    granted = {student: extension_of(course, student, lesson_name) for student in students}
    return {student for student, extension in granted.items() if extension and extension.excused}


def not_asked(course: Course, lesson_name: str, student: str) -> frozenset[str]:
    """Return the questions of a lesson that count only for other tracks than the student's.

    Raises: CourseError for a track that no student has: its questions would count for nobody.
    """
    only = course.settings.of_lesson(lesson_name).only
    if not only:
        return frozenset()
    tracks = _tracks(course, _changed(course, STUDENTS))
    if unknown := sorted(set(only.values()) - set(tracks.values())):
        raise CourseError(
            f"{course / COURSE_FILE}: no student has the track {unknown[0]!r}; write it into the column "
            f"`track` (or `section`) of {STUDENTS}, for each student of that part of the class."
        )
    return frozenset(name for name, track in only.items() if track != tracks.get(student))


@functools.lru_cache(maxsize=4)
def _tracks(course: Course, changed: tuple[tuple[int, ...], ...]) -> dict[str, str]:
    return {student: row.get("track", "") or row.get("section", "") for student, row in Roster.of(course).rows.items()}


def _changed(course: Course, *names: str) -> tuple[tuple[int, ...], ...]:
    """Return times, sizes and inodes of files, a key under which what was read of them is kept."""
    changed: list[tuple[int, ...]] = []
    for name in names:
        try:
            status = (course / name).stat()
        except OSError:
            changed.append(())
        else:
            changed.append((status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(changed)


def _granted(course: Course) -> dict[tuple[str, str], Extension]:
    """Return the lines of `extensions.csv` by student and lesson; the lesson "" means all of them."""
    return _extensions(course, _changed(course, EXTENSIONS, STUDENTS), course.settings.timezone)


@functools.lru_cache(maxsize=4)
def _extensions(course: Course, changed: tuple[tuple[int, ...], ...], zone: str) -> dict[tuple[str, str], Extension]:
    students, lessons = set(Roster.of(course).rows), course.lessons
    granted = {}
    for row in rows(course / EXTENSIONS, "id"):
        try:
            _require_known(row, students, lessons)
            due = read_time(row["due"], zone) if row["due"] else None
        except CourseError as error:
            about = {"file": course / EXTENSIONS, "number": row.number, "wrong": str(error)}
            raise CourseError("{file}, line {number}: {wrong}", **about) from None
        granted[row["id"], row["lesson"]] = Extension(due, row["excused"].casefold() in YES)
    return granted


def _require_known(row: TableRow, students: set[str], lessons: Collection[str]) -> None:
    """Raises: CourseError if a line names an unknown student, lesson or word."""
    student, lesson, word = row["id"], row["lesson"], row["excused"]
    if not student or (students and student not in students):
        raise CourseError(
            "there is no student {student!r} in {file}; write the id as it is there.", student=student, file=STUDENTS
        )
    if lesson and lesson not in lessons:
        raise CourseError(
            "there is no lesson {lesson!r}; the lessons are: {lessons}.", lesson=lesson, lessons=", ".join(lessons)
        )
    if word.casefold() not in (*YES, *NO):
        raise CourseError("{word!r} under excused is neither yes nor no; write yes, or leave it empty.", word=word)
