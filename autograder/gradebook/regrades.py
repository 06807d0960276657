"""Regrade requests: rows of the course's `regrades.csv`, which `grade` reads.

    id,lesson,question,points,reason,reply      points: empty until a person has decided

The points become the question's mark by hand, which survives grading again; the reply, else the reason, is shown in
the feedback. A decision is taken up once, which the ledger notes: a person who marks that question afterwards has the
last word. Of several rows about a question the last counts. Appeals of students are such rows, too, see `appeals`. The
file is read and checked whole before anything is graded, and is taken up in one piece or not at all.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from nbgrader.api import Gradebook

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.common.sentences import T_
from autograder.gradebook.configuration import gradebook_url
from autograder.gradebook.ledger import REGRADE, Cell, regraded, take_up
from autograder.intake.roster import Roster, not_asked
from autograder.intake.tables import TableRow, rows
from autograder.lesson.text import TEST_PREFIX, Lesson
from utils.common.messages import N_

REGRADES = "regrades.csv"


@dataclass(frozen=True)
class Request:
    """A line of the file; the graded cell that it is about, and the points, None while they are not decided."""

    row: TableRow
    cell: str
    points: float | None

    @property
    def cells(self) -> tuple[str, str]:
        """The graded cell, and the cell with the student's answer, to which a comment belongs."""
        return self.cell, self.cell.removeprefix(TEST_PREFIX)


def requests(course: Course, lesson: Lesson, handed_in: Collection[str]) -> list[Request]:
    """Return the requests for a lesson, all of which can be taken up once these students are graded.

    Raises: CourseError, with the line, for an unknown student, question or number of points; for a student who has not
    handed in.
    """
    listed = set(Roster.of(course).rows)
    lines = rows(course / REGRADES, "id", "lesson", "question", "points")
    read = [Request(row, *_read(row, lesson, listed)) for row in lines if row["lesson"] == lesson.name]
    for request in read:
        if request.points is not None and request.row["id"] not in handed_in:
            values = {"student": request.row["id"], "lesson": lesson.name}
            raise _wrong(request.row, T_("{student} has not handed in {lesson}.", **values))
        if request.row["question"].removeprefix(TEST_PREFIX) in not_asked(course, lesson.name, request.row["id"]):
            values = {"student": request.row["id"], "question": request.row["question"]}
            raise _wrong(request.row, T_("This question does not count for {student}: {question}.", **values))
    return read


def apply_requests(course: Course, lesson: Lesson) -> list[str]:
    """Set the points of decided requests, of all or of none; return a sentence for each change, one on what waits.

    Raises: CourseError as `requests`.
    """
    if not (course / REGRADES).is_file():
        return []
    with Gradebook(gradebook_url(course)) as gradebook:
        handed_in = {str(submission.student.id) for submission in gradebook.assignment_submissions(lesson.name)}
        asked = requests(course, lesson, handed_in)
        new = _not_taken_up(course, gradebook, lesson.name, asked)
        said = [_set(gradebook, lesson.name, request) for request in new]
        gradebook.db.commit()
        cells = [Cell(lesson.name, request.row["id"], name) for request in new for name in request.cells]
        why = {request.row["id"]: request.row["reason"] for request in new}
        if said:
            take_up(course, gradebook.db, REGRADE, lesson=lesson.name, given=cells, why=why)
    waiting = sum(request.points is None for request in asked)
    waits = T_("Regrade requests that wait for points in {file}: {number}.", file=REGRADES, number=waiting)
    return said + ([waits] if waiting else [])


def _not_taken_up(course: Course, gradebook: Gradebook, lesson_name: str, asked: list[Request]) -> list[Request]:
    """Return the last decision about each question, unless it was taken up before and the gradebook has not lost it."""
    decided = {Cell(lesson_name, one.row["id"], one.cell): one for one in asked if one.points is not None}
    lost = take_up(course, gradebook.db, lesson=lesson_name)  # also notes what a person did in formgrader meanwhile
    before = regraded(course)
    return [request for cell, request in decided.items() if cell in lost or before.get(cell) != request.points]


def _wrong(row: TableRow, what: str) -> CourseError:
    return CourseError("{file}, line {number}: {wrong}", file=REGRADES, number=row.number, wrong=what)


def _read(row: TableRow, lesson: Lesson, listed: set[str]) -> tuple[str, float | None]:
    """Return a request's graded cell, and its points, or None while they are not decided. Raises: CourseError."""
    cells = {cell.name: cell for cell in lesson.of_role("test", "essay")}
    cell = cells.get(row["question"].removeprefix(TEST_PREFIX))
    if listed and row["id"] not in listed:
        raise _wrong(row, T_("there is no student {student!r} in students.csv.", student=row["id"]))
    if cell is None:
        unknown = N_("there is no question {question!r}; the questions are: {names}.")
        raise _wrong(row, T_(unknown, question=row["question"], names=", ".join(cells)))
    if not row["points"]:
        return cell.grade_id, None
    try:
        points = float(row["points"].replace(",", "."))
    except ValueError:
        points = -1.0
    if not 0 <= points <= cell.points:
        not_points = N_("{points!r} is not a number of points from 0 to {most:g}.")
        raise _wrong(row, T_(not_points, points=row["points"], most=cell.points))
    return cell.grade_id, points


def _set(gradebook: Gradebook, lesson_name: str, request: Request) -> str:
    """Set the points of one question, and the comment, uncommitted; return a sentence."""
    row, points = request.row, request.points
    grade: Any = gradebook.find_grade(request.cell, lesson_name, lesson_name, row["id"])
    before = float(grade.score)
    grade.manual_score, grade.needs_manual_grade = points, False
    if reason := row["reply"] or row["reason"]:
        comment: Any = gradebook.find_comment(request.cells[1], lesson_name, lesson_name, row["id"])
        comment.manual_comment = f"{before:g} → {points:g}: {reason}"
    about = {"student": row["id"], "question": row["question"], "before": before, "points": points}
    why = f" ({reason})" if reason else ""
    return T_("Regraded: {student}, {question}: {before:g} → {points:g}{why}.", **about, why=why)
