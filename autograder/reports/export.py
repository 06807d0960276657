"""Marks as tables that campus systems import: `python -m autograder export LESSON --to moodle`.

    csv       id, names, points, what still waits, penalty, lateness, and every question's points
    moodle    the assignment's grading worksheet with its grades, if it is beside the archive: "Upload grading
              worksheet"; else for Grades > Import > CSV file: "Email address" and "ID number" to map the user by, one
              column per lesson, https://docs.moodle.org/en/Grade_import (grades that are imported so can no longer be
              edited on the assignment's page)
    canvas    for Grades > Import: Student, ID, SIS User ID, SIS Login ID, Section, then a column per assignment, called
              as Canvas calls it, "Homework 1 (12345)", and a second line "Points Possible"; Canvas' own reader is
              lib/gradebook_importer.rb in instructure/canvas-lms. A title without Canvas' number in brackets may make a
              new assignment. `students.csv` may have a column `section`

An excused student gets no number (in Canvas: EX), even if something was handed in. A text that a spreadsheet would take
for a formula is written behind an apostrophe.
"""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.roll import EXCUSED, MISSING, Roll, graded_roll
from autograder.intake.places import places_of
from autograder.intake.tables import decoded
from autograder.intake.worksheet import IDENTIFIER
from autograder.lesson.text import Lesson

GRADE = "Grade"  # of Moodle's grading worksheet
# Moodle's number of a student, in the name of a folder of its archive.
NUMBER = re.compile(r"[^_]+_(\d+)_")
Table = list[list[str]]
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(course: Course, lesson: Lesson, system: str, title: str = "", out_of: float | None = None) -> str:
    """Return a lesson's marks as a table for `system`.

    `title` is what the system calls the assignment, `out_of` the scale of the marks; else those of `course.toml`, else
    the lesson's name and its points. Raises: GradingError for an unknown system, or no marks.
    """
    if system not in SYSTEMS:
        raise GradingError(f"Marks cannot be written for {system!r}; there are: {', '.join(SYSTEMS)}.")
    settings = course.settings.of_lesson(lesson.name)
    most = sum(cell.points for cell in lesson.of_role("test", "essay"))
    maximum = out_of or settings.out_of or most
    scale = Scale(title or settings.title or lesson.name, maximum, maximum / most if most else 1.0)
    roll = graded_roll(course, lesson.name)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if system == "moodle" and (worksheet := filled_worksheet(course, lesson, roll, scale)):
        writer.writerows(worksheet)  # Moodle's own: "-" stays "-"
    else:
        table = SYSTEMS[system](lesson, roll, scale)
        writer.writerows([_harmless(field) for field in row] for row in table)
    return text.getvalue()


@dataclass(frozen=True)
class Scale:
    """An assignment's name, its maximum, and the factor that turns points into marks."""

    title: str
    out_of: float
    factor: float

    def mark(self, marks: StudentMarks) -> str:
        return points(marks.total * self.factor)


def filled_worksheet(course: Course, lesson: Lesson, roll: Roll, scale: Scale) -> Table | None:
    """Return Moodle's grading worksheet from beside the archive, with the marks in it; None if there is none.

    Moodle reads "Identifier", "Grade" and "Last modified (grade)", and skips a row whose grade has changed there since
    (mod/assign/feedback/offline/importgradeslib.php). Nothing else in the worksheet is changed.
    """
    places = places_of(course, lesson.name)
    marks = {
        match[1]: scale.mark(marks)
        for student, marks in roll.marks().items()
        if (place := places.get(student)) and (match := NUMBER.match(place.name))
    }
    for path in sorted((course / "downloaded" / lesson.name / "archive").rglob("*.csv")):
        table = list(csv.reader(io.StringIO(decoded(path.read_bytes()), newline="")))
        if table and {IDENTIFIER, GRADE} <= set(table[0]):
            which, grade = table[0].index(IDENTIFIER), table[0].index(GRADE)
            for row in table[1:]:
                number = re.search(r"\d+$", row[which]) if len(row) > max(which, grade) else None
                if number and number[0] in marks:
                    row[grade] = marks[number[0]]
            return table
    return None


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


def as_csv(lesson: Lesson, roll: Roll, scale: Scale) -> Table:
    """Return one line per student with every question's points; a student without a mark has a state and no number."""
    cells = lesson.of_role("test", "essay")
    most = points(sum(cell.points for cell in cells))
    heads = "id first_name last_name email state points max_points waiting penalty hours_late"
    table = [[*heads.split(), *(cell.name for cell in cells), f"of_{points(scale.out_of)}"]]
    for student, member in roll.members.items():
        who = [student, *_name(member.row), member.row.get("email", ""), member.state]
        if (marks := member.marks) is None:
            table.append([*who, "", most, "", "", "", *([""] * len(cells)), ""])
            continue
        numbers = map(points, (len(marks.waiting), marks.penalty, marks.seconds_late / 3600))
        scores = ["" if c.grade_id in marks.waiting else points(marks.scores.get(c.grade_id, 0.0)) for c in cells]
        table.append([*who, points(marks.total), most, *numbers, *scores, scale.mark(marks)])
    return table


def as_moodle(lesson: Lesson, roll: Roll, scale: Scale) -> Table:
    """Return a table that Moodle imports: the instructor says there which column names the user, which the item."""
    table = [["First name", "Last name", "ID number", "Email address", scale.title]]
    for student, member in roll.members.items():
        if member.state != MISSING:
            mark = scale.mark(member.marks) if member.marks else ""
            table.append([*_name(member.row), student, member.row.get("email", ""), mark])
    return table


def as_canvas(lesson: Lesson, roll: Roll, scale: Scale) -> Table:
    """Return Canvas' gradebook. Canvas finds a student by its ID (`lms_user_id`), else by the SIS or the login id."""
    table = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", scale.title]]
    table.append(["    Points Possible", "", "", "", "", points(scale.out_of)])
    for student, member in roll.members.items():
        if member.marks is None and member.state != EXCUSED:
            continue  # Canvas leaves the mark of a student without a row as it is
        first, last = _name(member.row)
        name = f"{last}, {first}" if first and last else student
        mark = scale.mark(member.marks) if member.marks else "EX"
        login = member.row.get("email", "") or student
        section = member.row.get("section", "")
        table.append([name, member.row.get("lms_user_id", ""), student, login, section, mark])
    return table


SYSTEMS: dict[str, Callable[[Lesson, Roll, Scale], Table]] = {"csv": as_csv, "moodle": as_moodle, "canvas": as_canvas}
