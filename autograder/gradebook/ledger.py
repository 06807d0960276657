"""The ledger of marks: `ledger.jsonl` beside the gradebook, a line for each change of a student's mark in a lesson.

Lines are appended and never changed. nbgrader's gradebook keeps the marks; the ledger is a witness: who changed which
mark, when, with what, why. `take_up` alone writes it, by comparing the gradebook with the last lines, so that no change
is missed: a change by a program that knows nothing of the ledger (formgrader, a copy put back, a command that was
killed) is noted by the next command, as ELSEWHERE.

What only a person can give (a mark by hand, extra credit, a comment, a due date) never leaves the ledger in silence: if
the gradebook has a former state of it, it was probably lost, and stays in the ledger until somebody decides; see
`lost`, and `restore`.
"""

import contextlib
import fcntl
import getpass
import json
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from autograder.common.course import Course
from autograder.common.paths import gradebook_file, is_missing
from autograder.gradebook.copies import LEDGER
from autograder.gradebook.trouble import one_sentence
from utils.common.messages import N_

# What may change a mark, as `workbook history` names it.
GRADE, REGRADE, OPEN, WATCH = "workbook grade", "regrades.csv", "workbook open", "workbook watch"
NBGRADER, MARKING, RUBRIC = N_("nbgrader's own command"), N_("marking page"), N_("change of the rubric")
LATE_RULE, ELSEWHERE = N_("rule for late work"), N_("formgrader or another program")
# Names in place of a cell's, which contain no parentheses: a lesson's penalty, and the due date of all students.
PENALTY, DUE = "(late)", "(due)"
EVERYBODY = ""


@dataclass(frozen=True)
class Mark:
    """The mark of one cell; `score` counts, the other values were given by a person. A due date is a comment."""

    score: float | None = None
    hand: float | None = None
    extra: float | None = None
    waits: bool = False
    comment: str = ""

    @property
    def by_person(self) -> tuple[float | None, float | None, str]:
        return self.hand, self.extra, self.comment

    def to_json(self) -> dict[str, Any]:
        # Zero points are a mark, although 0.0 == False.
        return {name: value for name, value in asdict(self).items() if value not in (None, "") and value is not False}


NOTHING = Mark()


class Cell(NamedTuple):
    """A cell of a student's notebook in the gradebook."""

    lesson: str
    student: str
    cell: str


@dataclass
class Known:
    """What the lines of a ledger say: the last mark of each cell, what persons gave before, and the points of its last
    regrade request; `size` in bytes.
    """

    size: int = 0
    marks: dict[Cell, Mark] = field(default_factory=dict)
    former: dict[Cell, set[tuple[Any, ...]]] = field(default_factory=dict)
    regraded: dict[Cell, float | None] = field(default_factory=dict)

    def add(self, line: Mapping[str, Any]) -> None:
        for name, (_, to) in line["cells"].items():
            cell = Cell(line["lesson"], line["student"], name)
            if cell in self.marks:
                self.former.setdefault(cell, set()).add(self.marks[cell].by_person)
            if to is None:
                self.marks.pop(cell, None)
            else:
                self.marks[cell] = Mark(**to)
                if line["what"] == REGRADE:
                    self.regraded[cell] = self.marks[cell].hand

    def lost(self, cell: Cell, now: Mark | None) -> bool:
        """Return whether the gradebook has lost what a person gave or took back: it has nothing, or a former state."""
        given, there = self.marks.get(cell, NOTHING).by_person, (now or NOTHING).by_person
        return given != there and there in {NOTHING.by_person, *self.former.get(cell, ())}


def lines(course: Course) -> list[dict[str, Any]]:
    """Return the lines of a course's ledger; a line that a full disk has cut off is left out."""
    try:
        content = (course / LEDGER).read_bytes()
    except FileNotFoundError:
        return []
    return list(_parsed(content))


def _parsed(content: bytes) -> Iterator[dict[str, Any]]:
    for text in content.splitlines():
        with contextlib.suppress(ValueError):
            line = json.loads(text)
            if isinstance(line, dict):
                yield line


def take_up(
    course: Course,
    session: Any,
    what: str = ELSEWHERE,
    *,
    lesson: str = "",
    student: str = "",
    why: str | Mapping[str, str] = "",
    given: Collection[Cell] = (),
    by: str = "",
) -> dict[Cell, Mark]:
    """Note how the gradebook differs from the ledger; return what the gradebook has lost, with the ledger's marks.

    lesson, student: the part of the gradebook that is compared, all of it by default. why: one text, or a text for each
    student. given: cells that a person has just marked, in which nothing is lost. by: who did it, by default this
    process's account. Raises: OSError.
    """
    with _locked(course) as file:
        known = _known(course)
        now = marks_in(session, lesson, student)
        asked = {cell for cell in known.marks if lesson in ("", cell.lesson) and student in ("", cell.student)}
        differ = [cell for cell in asked | now.keys() if known.marks.get(cell) != now.get(cell)]
        lost = {cell: known.marks[cell] for cell in differ if cell not in given and known.lost(cell, now.get(cell))}
        by_student: dict[tuple[str, str], list[str]] = {}
        for cell in sorted(set(differ) - lost.keys()):
            by_student.setdefault((cell.lesson, cell.student), []).append(cell.cell)
        said = {"at": datetime.now(timezone.utc).isoformat(timespec="seconds"), "by": by or account(), "what": what}
        new = [_line(said, known.marks, now, *names, cells, why) for names, cells in by_student.items()]
        _append(file, new)
        # A cell that is gone belongs to a student or a question that somebody took out; a due date is a cell of no one.
        return {cell: mark for cell, mark in lost.items() if cell in now or cell.cell == DUE}


@cache
def engine_of(url: str) -> Engine:
    """Return a gradebook's database engine. It keeps compiled queries, which halves the CPU time of a mark's save.

    It keeps no connection: if the gradebook's file is replaced by a copy, an open connection goes on reading the old
    file.
    """
    return create_engine(url, poolclass=NullPool)


def witness(course: Course, url: str, what: str = ELSEWHERE, **about: Any) -> dict[Cell, Mark]:
    """Do `take_up` for the gradebook at an address; nothing without a gradebook. Raises: GradingError."""
    path = gradebook_file(url)
    if path is not None and is_missing(path):
        return {}
    with one_sentence(), Session(engine_of(url)) as session:
        return take_up(course, session, what, **about)


def _line(
    said: dict[str, str],
    before: Mapping[Cell, Mark],
    now: Mapping[Cell, Mark],
    lesson: str,
    student: str,
    cells: list[str],
    why: str | Mapping[str, str],
) -> dict[str, Any]:
    reason = why if isinstance(why, str) else why.get(student, "")
    pairs = {name: [_json(marks.get(Cell(lesson, student, name))) for marks in (before, now)] for name in cells}
    line = said | {"lesson": lesson, "student": student} | ({"why": reason} if reason else {})
    return line | {"cells": pairs}


def _json(mark: Mark | None) -> dict[str, Any] | None:
    return None if mark is None else mark.to_json()


@contextlib.contextmanager
def _locked(course: Course) -> Iterator[Any]:
    """Yield the ledger, open for appending; other processes and threads wait meanwhile."""
    with (course / LEDGER).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def _append(file: Any, new: list[dict[str, Any]]) -> None:
    if not new:
        return
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in new)
    # A line that was cut off has no end: without this, the next line would be lost together with it.
    cut = file.tell() and not Path(file.name).read_bytes().endswith(b"\n")
    file.write(("\n" * bool(cut) + text).encode())
    file.flush()
    os.fsync(file.fileno())


# What was read of each ledger, by its path and inode.
_read: dict[tuple[Path, int], Known] = {}


def _known(course: Course) -> Known:
    """Return what the ledger says; only lines that were appended since the last call are read. Hold the lock."""
    with (course / LEDGER).open("rb") as file:
        status = os.fstat(file.fileno())
        key = (course.folder, status.st_ino)
        if key not in _read or status.st_size < _read[key].size:
            _read[key] = Known()
        known = _read[key]
        file.seek(known.size)
        content = file.read()
    whole = content[: content.rfind(b"\n") + 1]
    for line in _parsed(whole):
        known.add(line)
    known.size += len(whole)
    return known


def regraded(course: Course) -> Mapping[Cell, float | None]:
    """Return the points of the last regrade request that was taken up for each cell."""
    with _locked(course):
        return _known(course).regraded


def account() -> str:
    """Return who works here: the hub's user, else the account."""
    return os.environ.get("JUPYTERHUB_USER") or getpass.getuser()


def marks_in(session: Any, lesson: str = "", student: str = "") -> dict[Cell, Mark]:
    """Return all marks, comments, penalties and due dates of a gradebook, or of a lesson or student in it."""
    marks: dict[Cell, Mark] = {}
    columns = (Grade.score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade)
    for *names, score, hand, extra, waits in cells_of(session, Grade, lesson, student, *columns):
        marks[Cell(*names)] = Mark(round(float(score), 6), hand, extra or None, bool(waits))
    for *names, comment in cells_of(session, Comment, lesson, student, Comment.manual_comment):
        if comment:
            cell = Cell(*names)
            marks[cell] = Mark(**asdict(marks.get(cell, NOTHING)) | {"comment": comment})
    submitted = cast(Any, SubmittedNotebook)
    for names_of, penalty in _penalties(session, lesson, student, submitted.late_submission_penalty):
        if penalty:
            marks[Cell(*names_of, PENALTY)] = Mark(-round(float(penalty), 6))
    for name, due in session.query(Assignment.name, Assignment.duedate):
        if due and lesson in ("", name) and not student:
            marks[Cell(name, EVERYBODY, DUE)] = Mark(comment=str(due))
    return marks


def cells_of(session: Any, kind: Any, lesson: str, student: str, *columns: Any) -> Any:
    """Return a query of grades or comments (`kind`): lesson, student and cell, then these columns.

    One query joins all tables, because nbgrader's objects would send several queries for each student.
    """
    query = session.query(Assignment.name, Student.id, BaseCell.name, *columns).select_from(kind)
    query = query.join(BaseCell, kind.cell_id == BaseCell.id)
    query = query.join(SubmittedNotebook, kind.notebook_id == cast(Any, SubmittedNotebook).id)
    return _of(query, lesson, student)


def _penalties(session: Any, lesson: str, student: str, column: Any) -> Iterator[tuple[tuple[str, str], Any]]:
    query = session.query(Assignment.name, Student.id, column).select_from(SubmittedNotebook)
    for name, id_, penalty in _of(query, lesson, student):
        yield (name, id_), penalty


def _of(query: Any, lesson: str, student: str) -> Any:
    """Return a query of submitted notebooks, joined with students and lessons, of one lesson or student if named."""
    notebooks, submissions = cast(Any, SubmittedNotebook), cast(Any, SubmittedAssignment)
    query = query.join(SubmittedAssignment, notebooks.assignment_id == submissions.id)
    query = query.join(Assignment, submissions.assignment_id == Assignment.id)
    query = query.join(Student, submissions.student_id == Student.id)
    query = query.filter(Assignment.name == lesson) if lesson else query
    return query.filter(Student.id == student) if student else query
