"""The term: each student over all lessons, with a total by weights; as a page and as CSV, in the course's `report/`.

A lesson counts as soon as one student is graded in it; its weight is set in `course.toml`, else 1. The total is the
weighted mean of the shares of points earned: a lesson that was not handed in counts as 0, and an excused lesson does
not count. While an answer waits for a person, or a file cannot be read, the total is not final.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import write_whole
from autograder.gradebook.roll import EXCUSED, GRADED, MISSING, WAITS, Member, roll_of
from autograder.lesson.text import Lesson


@dataclass(frozen=True)
class Column:
    """A lesson of the term: its title, weight and points (`most`), and the students of its class."""

    name: str
    title: str
    weight: float
    most: float
    members: dict[str, Member]


@dataclass(frozen=True)
class TermLine:
    """A student: the mark or state in each lesson, the total in percent, and whether the total is final."""

    student: str
    name: str
    marks: list[str]
    total: float | None
    final: bool


def columns(course: Course) -> list[Column]:
    """Return the lessons in which somebody is graded, in the course's order. Raises: GradingError if there are none."""
    course_settings, graded = course.settings, []
    for name in course.in_order():
        roll, settings = roll_of(course, name), course_settings.of_lesson(name)
        if roll.of_state(GRADED, WAITS):
            most = sum(cell.points for cell in Lesson.load(name, course).of_role("test", "essay"))
            graded.append(Column(name, settings.title or name, settings.weight, most, roll.members))
    if not graded:
        raise GradingError("Nothing is graded yet in any lesson; run: workbook grade LESSON")
    return graded


def lines(lessons: list[Column]) -> list[TermLine]:
    """Return a line for each student who is in the class of at least one of these lessons."""
    return [_line(student, lessons) for student in sorted({name for column in lessons for name in column.members})]


def _line(student: str, lessons: list[Column]) -> TermLine:
    marks, earned, counted, final = [], 0.0, 0.0, True
    name = ""
    for column in lessons:
        member = column.members.get(student) or Member(student, MISSING)
        name = name or member.name
        total = member.marks.total if member.marks else 0.0
        marks.append(f"{total:.4g}" + "+" * (member.state == WAITS) if member.marks else member.state)
        final = final and member.state in (GRADED, EXCUSED, MISSING)
        if member.state != EXCUSED:
            earned += column.weight * (total / column.most if column.most else 0.0)
            counted += column.weight
    return TermLine(student, name, marks, 100 * earned / counted if counted else None, final)


def as_csv(lessons: list[Column]) -> str:
    """Return the term as a table."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["id", "name", *(f"{column.title} (of {column.most:g})" for column in lessons), "total %", "final"])
    for line in lines(lessons):
        total = "" if line.total is None else f"{line.total:.1f}"
        table.writerow([line.student, line.name, *line.marks, total, "yes" if line.final else "no"])
    return text.getvalue()


def write_term(course: Course) -> list[Path]:
    """Write the term as a page and as CSV. Raises: GradingError when nothing is graded."""
    lessons = columns(course)
    pages = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, trim_blocks=True)
    page = pages.get_template("term.html.j2").render(columns=lessons, lines=lines(lessons))
    paths = [course / "report" / "term.html", course / "report" / "term.csv"]
    for path, text in zip(paths, (page, as_csv(lessons)), strict=True):
        write_whole(path, text)
    return paths
