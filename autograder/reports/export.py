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

import re
from collections.abc import Callable
from dataclasses import dataclass

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.sentences import T_, joined
from autograder.gradebook.roll import EXCUSED, MISSING, Member, Roll, graded_roll
from autograder.lesson.text import Cell, Lesson
from autograder.reports import worksheet
from autograder.reports.spreadsheet import spreadsheet
from utils.common.messages import N_

Table = list[list[str]]
PERSON = 5  # columns of the plain table that are about the student, and hold no numbers


def export(
    course: Course,
    lesson: Lesson,
    system: str,
    title: str = "",
    out_of: float | None = None,
    *,
    language: str = "en",
    remarks: list[str] | None = None,
) -> str:
    """Return a lesson's marks as a table for `system`; add what the instructor should know about it to `remarks`.

    `title` is what the system calls the assignment, `out_of` the scale of the marks; else those of `course.toml`, else
    the lesson's name and its points. `language` is that of the spreadsheet which reads the plain table. Raises:
    GradingError for an unknown system, no marks, or a worksheet that cannot be filled.
    """
    if system not in SYSTEMS:
        raise GradingError(
            "Marks cannot be written for {system!r}; choose one of: {names}.", system=system, names=", ".join(SYSTEMS)
        )
    settings = course.settings.of_lesson(lesson.name)
    roll, wanted = graded_roll(course, lesson.name), out_of or settings.out_of
    most = roll.most(lesson)
    found = worksheet.find(course, lesson.name, roll) if system == "moodle" else None
    maximum = wanted or (found and found.maximum) or most
    scale = Scale(title or settings.title or lesson.name, maximum, lesson.of_role("test", "essay"))
    remarks = [] if remarks is None else remarks
    if found is None:
        passed_over = re.search(r"\b(current|final|override|unposted)\b", scale.title, re.IGNORECASE)
        if system == "canvas" and passed_over:
            ignored = N_("Canvas may ignore the column {title!r}, because of {word!r}.")
            remarks.append(T_(ignored, title=scale.title, word=passed_over[0]))
        return spreadsheet(SYSTEMS[system](lesson, roll, scale), language if system == "csv" else "en", PERSON)
    if found.maximum and found.maximum != maximum:
        raise GradingError(
            "Nothing was written: the worksheet's maximum grade is {there:g}, the marks are out of {here:g}; set one "
            "of them to the other (--out-of, out_of in course.toml, or in Moodle).",
            there=float(found.maximum),
            here=float(maximum),
        )
    if maximum != most:
        remarks.append(T_("Marks are out of {maximum:g}, the worksheet's maximum grade.", maximum=float(maximum)))
    if lacking := sorted(set(roll.marks()) - set(found.students.values())):
        no_row = N_("{number} of the class have a mark but no row in the worksheet: {names}.")
        remarks.append(T_(no_row, number=len(lacking), names=joined(lacking)))
    return spreadsheet(found.filled({student: scale.mark(roll.members[student]) for student in roll.marks()}), "en", 0)


@dataclass(frozen=True)
class Scale:
    """An assignment's name and maximum, and the lesson's questions."""

    title: str
    out_of: float
    questions: list[Cell]

    def mark(self, member: Member) -> str:
        """Return a student's mark, "" if there is none: the share of her own questions' points, on the scale."""
        most = member.most(self.questions)
        return points(member.marks.total * (self.out_of / most if most else 1.0)) if member.marks else ""


def points(number: float) -> str:
    """Return points with a decimal point and at most two decimals."""
    return f"{round(number, 2):g}" if number < 1e5 else f"{number:.2f}"


def _name(row: dict[str, str]) -> tuple[str, str]:
    return row.get("first_name", ""), row.get("last_name", "")


def as_csv(lesson: Lesson, roll: Roll, scale: Scale) -> Table:
    """Return one line per student with every question's points; a student without a mark has a state and no number."""
    cells = lesson.of_role("test", "essay")
    heads = "id first_name last_name email state points max_points waiting penalty hours_late"
    table = [[*heads.split(), *(cell.name for cell in cells), f"of_{points(scale.out_of)}"]]
    for student, member in roll.members.items():
        who = [student, *_name(member.row), member.row.get("email", ""), member.state]
        most = points(member.most(cells))
        if (marks := member.marks) is None:
            table.append([*who, "", most, "", "", "", *([""] * len(cells)), ""])
            continue
        numbers = map(points, (len(marks.waiting), marks.penalty, marks.seconds_late / 3600))
        left_out = marks.waiting | {c.grade_id for c in cells if c.name in member.not_asked}
        scores = ["" if c.grade_id in left_out else points(marks.scores.get(c.grade_id, 0.0)) for c in cells]
        table.append([*who, points(marks.total), most, *numbers, *scores, scale.mark(member)])
    return table


def as_moodle(lesson: Lesson, roll: Roll, scale: Scale) -> Table:
    """Return a table that Moodle imports: the instructor says there which column names the user, which the item."""
    table = [["First name", "Last name", "ID number", "Email address", scale.title]]
    for student, member in roll.members.items():
        if member.state != MISSING:
            table.append([*_name(member.row), student, member.row.get("email", ""), scale.mark(member)])
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
        mark = scale.mark(member) or "EX"
        # A list that Canvas exported has its own ids, which come back as they were.
        sis = member.row.get("sis_user_id", "") or student
        login = member.row.get("username", "") or member.row.get("email", "") or student
        section = member.row.get("section", "")
        table.append([name, member.row.get("lms_user_id", ""), sis, login, section, mark])
    return table


SYSTEMS: dict[str, Callable[[Lesson, Roll, Scale], Table]] = {"csv": as_csv, "moodle": as_moodle, "canvas": as_canvas}
