"""Regrade requests: rows of the course's `regrades.csv`, which `grade` reads.

    id,lesson,question,points,reason      points: empty until a person has decided

The points become the question's mark by hand, which survives grading again; the reason is shown in the feedback.
"""

from typing import Any

from nbgrader.api import Gradebook, MissingEntry

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.gradebook.configuration import gradebook_url
from autograder.intake.roster import Roster
from autograder.intake.tables import TableRow, rows
from autograder.lesson.text import TEST_PREFIX, Lesson

REGRADES = "regrades.csv"


def apply_requests(course: Course, lesson: Lesson) -> list[str]:
    """Set the points of decided requests; return a sentence for each change, and one on the requests that wait.

    Raises: CourseError, with the line, for a request with an unknown student, question or number of points.
    """
    requests = [
        row for row in rows(course / REGRADES, "id", "lesson", "question", "points") if row["lesson"] == lesson.name
    ]
    if not requests:
        return []
    listed, sentences, waiting = set(Roster.of(course).rows), [], 0
    with Gradebook(gradebook_url(course)) as gradebook:
        for row in requests:
            name, points = _read(row, lesson, listed)
            if points is None:
                waiting += 1
            elif sentence := _set(gradebook, lesson.name, row, name, points):
                sentences.append(sentence)
    return sentences + ([f"Regrade requests that wait for points in {REGRADES}: {waiting}."] if waiting else [])


def _read(row: TableRow, lesson: Lesson, listed: set[str]) -> tuple[str, float | None]:
    """Return a request's graded cell, and its points, or None while they are not decided. Raises: CourseError."""
    cells = {cell.name: cell for cell in lesson.of_role("test", "essay")}
    cell = cells.get(row["question"].removeprefix(TEST_PREFIX))
    line = f"{REGRADES}, line {row.number}"
    if listed and row["id"] not in listed:
        raise CourseError(f"{line}: there is no student {row['id']!r} in students.csv.")
    if cell is None:
        raise CourseError(f"{line}: there is no question {row['question']!r}; the questions are: {', '.join(cells)}.")
    if not row["points"]:
        return cell.grade_id, None
    try:
        points = float(row["points"].replace(",", "."))
    except ValueError:
        points = -1.0
    if not 0 <= points <= cell.points:
        raise CourseError(f"{line}: {row['points']!r} is not a number of points from 0 to {cell.points:g}.")
    return cell.grade_id, points


def _set(gradebook: Gradebook, lesson_name: str, row: TableRow, name: str, points: float) -> str:
    """Set the points of one question; return a sentence, "" if they were set before."""
    try:
        grade: Any = gradebook.find_grade(name, lesson_name, lesson_name, row["id"])
    except MissingEntry:
        raise CourseError(f"{REGRADES}, line {row.number}: {row['id']} has not handed in {lesson_name}.") from None
    before = float(grade.score)
    if grade.manual_score == points and not grade.needs_manual_grade:
        return ""
    grade.manual_score, grade.needs_manual_grade = points, False
    if reason := row["reason"]:
        # A comment belongs to the student's answer, which is the cell that a test cell grades.
        answer = name.removeprefix(TEST_PREFIX)
        comment: Any = gradebook.find_comment(answer, lesson_name, lesson_name, row["id"])
        comment.manual_comment = f"{before:g} → {points:g}: {reason}"
    gradebook.db.commit()
    return f"Regraded: {row['id']}, {row['question']}: {before:g} → {points:g}" + (f" ({reason})." if reason else ".")
