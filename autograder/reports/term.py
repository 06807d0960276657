"""The term: each student over all lessons, with a total by weights; as a page and as CSV, in the course's `report/`.

A lesson counts as soon as one student is graded in it; its weight is set in `course.toml`, else 1. The total is the
weighted mean of the shares of points earned: a lesson that was not handed in counts as 0, and an excused lesson does
not count, nor do the lowest lessons that the course drops (`drop_lowest`), those without which the total is highest.
While an answer waits for a person, or a file cannot be read, the total is not final.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import write_whole
from autograder.gradebook.configuration import course_language
from autograder.gradebook.roll import EXCUSED, GRADED, MISSING, WAITS, Member, roll_of
from autograder.lesson.text import Cell, Lesson
from autograder.reports.report import bars, distribution
from autograder.reports.spreadsheet import spreadsheet
from autograder.reports.words import page


@dataclass(frozen=True)
class Column:
    """A lesson of the term: its title, weight and points (`most`), and the students of its class."""

    name: str
    title: str
    weight: float
    most: float
    members: dict[str, Member]
    droppable: bool = True
    questions: tuple[Cell, ...] = ()


class Share(NamedTuple):
    """The share of a lesson's points that a student has earned, its weight, and whether it may be dropped."""

    earned: float
    weight: float
    droppable: bool = True


@dataclass(frozen=True)
class TermLine:
    """A student: the mark or state in each lesson, the total in percent, and whether the total is final.

    scaled: the marks as if all students had the same questions. `feedback` has for each lesson the address of the
    student's feedback from the term's page; "" if there is none.
    """

    student: str
    name: str
    marks: list[str]
    scaled: list[str]
    feedback: list[str]
    total: float | None
    final: bool


def columns(course: Course) -> list[Column]:
    """Return the lessons in which somebody is graded, in the course's order. Raises: GradingError if there are none."""
    course_settings, graded = course.settings, []
    for name in course.in_order():
        roll, settings = roll_of(course, name), course_settings.of_lesson(name)
        if roll.of_state(GRADED, WAITS):
            lesson = Lesson.load(name, course)
            about = (name, settings.title or name, settings.weight, roll.most(lesson), roll.members)
            graded.append(Column(*about, settings.droppable, tuple(lesson.of_role("test", "essay"))))
    if not graded:
        raise GradingError("Nothing is graded yet in any lesson; run: workbook grade LESSON")
    return graded


def lines(lessons: list[Column], course: Course) -> list[TermLine]:
    """Return a line for each student of any of these lessons."""
    students = sorted({name for column in lessons for name in column.members})
    return [_line(student, lessons, course) for student in students]


def _line(student: str, lessons: list[Column], course: Course) -> TermLine:
    marks, scaled, feedback, shares, final = list[str](), list[str](), list[str](), list[Share](), True
    name = ""
    for column in lessons:
        member = column.members.get(student) or Member(student, MISSING)
        name = name or member.name
        total = member.marks.total if member.marks else 0.0
        most = member.most(column.questions)
        of = f" / {most:g}" if most != column.most else ""  # other questions than most of the class
        waits = "+" * (member.state == WAITS)
        marks.append(f"{total:.4g}{waits}{of}" if member.marks else member.state)
        on_scale = total * column.most / most if most else total
        scaled.append(f"{on_scale:.4g}{waits}" if member.marks else member.state)
        page = Path("feedback", student, column.name, f"{column.name}.html")
        feedback.append(quote(f"../{page.as_posix()}") if (course / page).is_file() else "")
        final = final and member.state in (GRADED, EXCUSED, MISSING)
        if member.state != EXCUSED:
            share = total / most if most else 0.0
            shares.append(Share(share, column.weight, column.droppable))
    return TermLine(student, name, marks, scaled, feedback, total_of(shares, course.settings.term.drop_lowest), final)


def total_of(shares: list[Share], dropped: int) -> float | None:
    """Return the weighted mean in percent without the shares, at most `dropped`, that pull it down most."""
    able = [number for number, share in enumerate(shares) if share.droppable]
    # By trial, because with different weights the lowest share need not be the one that costs most.
    ways = itertools.combinations(able, min(dropped, len(able), max(0, len(shares) - 1)))
    return max((_mean([s for n, s in enumerate(shares) if n not in way]) for way in ways), key=lambda mean: mean or 0.0)


def _mean(shares: list[Share]) -> float | None:
    counted = sum(share.weight for share in shares)
    return 100 * sum(share.weight * share.earned for share in shares) / counted if counted else None


def as_csv(lessons: list[Column], students: list[TermLine], language: str = "en") -> str:
    """Return the term as a table for a spreadsheet in a language."""
    head = ["id", "name", *(f"{column.title} (of {column.most:g})" for column in lessons), "total %", "final"]
    table = [head]
    for line in students:
        total = "" if line.total is None else f"{line.total:.1f}"
        table.append([line.student, line.name, *line.scaled, total, "yes" if line.final else "no"])
    return spreadsheet(table, language, 2)


def write_term(course: Course, language: str = "") -> list[Path]:
    """Write the term as a page and as CSV, for a spreadsheet in the course's language by default.

    Raises: GradingError when nothing is graded.
    """
    lessons, shown = columns(course), course_language(course)
    students = lines(lessons, course)
    totals = distribution([line.total for line in students if line.total is not None], 100)
    content = {"columns": lessons, "lines": students, "distribution": totals, "bars": bars(totals, shown)}
    texts = (page("term.html.j2", shown, content), as_csv(lessons, students, language or shown))
    paths = [course / "report" / "term.html", course / "report" / "term.csv"]
    for path, text in zip(paths, texts, strict=True):
        write_whole(path, text)
    return paths
