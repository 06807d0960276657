"""Marks as tables that campus systems import: `python -m autograder export LESSON --to moodle`.

    csv       id, names, points, what still waits, penalty, lateness, and every question's points
    moodle    for Grades > Import > CSV file: "Email address" and "ID number" to map the user by, one column per lesson
              https://docs.moodle.org/en/Grade_import
    canvas    for Grades > Import: Student, ID, SIS User ID, SIS Login ID, Section, then a column per assignment, and a
              second line "Points Possible"; Canvas' own reader is lib/gradebook_importer.rb in instructure/canvas-lms

An excused student gets no number (in Canvas: EX), even if something was handed in. A text that a spreadsheet would take
for a formula is written behind an apostrophe.
"""

import csv
import io
from collections.abc import Callable
from pathlib import Path

from autograder.common.errors import GradingError
from autograder.gradebook.roll import EXCUSED, MISSING, Roll, graded_roll
from autograder.lesson.text import Lesson

Table = list[list[str]]
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(course: Path, lesson: Lesson, system: str) -> str:
    """Return a lesson's marks as a table for `system`. Raises: GradingError for an unknown system, or no marks."""
    if system not in SYSTEMS:
        raise GradingError(f"Marks cannot be written for {system!r}; there are: {', '.join(SYSTEMS)}.")
    table = SYSTEMS[system](lesson, graded_roll(course, lesson.name))
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_harmless(field) for field in row] for row in table)
    return text.getvalue()


def _harmless(field: str) -> str:
    return f"'{field}" if field.startswith(FORMULA) and not _is_number(field) else field


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def points(number: float) -> str:
    """Return points with a decimal point and at most two decimals."""
    return f"{round(number, 2):g}" if number < 1e5 else f"{number:.2f}"


def _name(row: dict[str, str]) -> tuple[str, str]:
    return row.get("first_name", ""), row.get("last_name", "")


def as_csv(lesson: Lesson, roll: Roll) -> Table:
    """Return one line per student with every question's points; who has no mark has a state and no number."""
    cells = lesson.of_role("test", "essay")
    most = points(sum(cell.points for cell in cells))
    heads = "id first_name last_name email state points max_points waiting penalty hours_late"
    table = [[*heads.split(), *(cell.name for cell in cells)]]
    for student, member in roll.members.items():
        who = [student, *_name(member.row), member.row.get("email", ""), member.state]
        if (one := member.marks) is None:
            table.append([*who, "", most, "", "", "", *([""] * len(cells))])
            continue
        numbers = map(points, (len(one.waiting), one.penalty, one.seconds_late / 3600))
        scores = ["" if c.grade_id in one.waiting else points(one.scores.get(c.grade_id, 0.0)) for c in cells]
        table.append([*who, points(one.total), most, *numbers, *scores])
    return table


def as_moodle(lesson: Lesson, roll: Roll) -> Table:
    """Return a table that Moodle imports: the instructor says there which column names the user, which the item."""
    table = [["First name", "Last name", "ID number", "Email address", lesson.name]]
    for student, member in roll.members.items():
        if member.state != MISSING:
            mark = points(member.marks.total) if member.marks else ""
            table.append([*_name(member.row), student, member.row.get("email", ""), mark])
    return table


def as_canvas(lesson: Lesson, roll: Roll) -> Table:
    """Return Canvas' gradebook. Canvas finds a student by its ID (`lms_user_id`), else by the SIS or the login id."""
    most = sum(cell.points for cell in lesson.of_role("test", "essay"))
    table = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", lesson.name]]
    table.append(["    Points Possible", "", "", "", "", points(most)])
    for student, member in roll.members.items():
        if member.marks is None and member.state != EXCUSED:
            continue  # Canvas leaves the mark of a student without a row as it is
        first, last = _name(member.row)
        name = f"{last}, {first}" if first and last else student
        mark = points(member.marks.total) if member.marks else "EX"
        login = member.row.get("email", "") or student
        table.append([name, member.row.get("lms_user_id", ""), student, login, "", mark])
    return table


SYSTEMS: dict[str, Callable[[Lesson, Roll], Table]] = {"csv": as_csv, "moodle": as_moodle, "canvas": as_canvas}
