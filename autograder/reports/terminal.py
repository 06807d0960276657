"""Prints in the instructor's terminal: progress, one notebook's marks, each question's numbers, the status."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Literal

from rich import progress
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.common.course import Course
from autograder.common.sentences import T_, in_language, spoken, translated
from autograder.common.version import workbook_version
from autograder.examine.flags import shown as shown_flag
from autograder.examine.result import Result
from autograder.gradebook.collecting import Collected
from autograder.gradebook.log import read_log
from autograder.gradebook.summary import OnStep
from autograder.lesson.text import Lesson
from autograder.reports.report import COLUMNS, WAITING, class_marks, mistakes_made, question_numbers
from autograder.reports.status import Status
from utils.checks.engine.panel import lines
from utils.common.messages import N_, in_context
from utils.common.printable import printable

console = Console(soft_wrap=False)
# The most columns of a student's name; a longer name is folded, so that the remarks have room.
NAME_WIDTH = 32
# The most characters in a line of a heading in the table of questions, whose values are short.
HEADING_WIDTH = 8
# Shorter headings than the report's, for the shares of answers with full points and without points.
SHORT = {
    "full points": in_context("a narrow column: full points", "full"),
    "no point": in_context("a narrow column: no point", "none"),
}
# The most names in a line; others are left out.
MOST_NAMES = 12
# The stages of the progress bar.
STEPS = {"examined": N_("examined"), "written": in_context("a stage of grading", "written"), "sending": N_("sending")}
# The rows of the table of status: a row's heading -> the attribute of `Status`.
STAGES = {
    N_("collected"): "collected",
    N_("to grade"): "changed",
    N_("graded"): "graded",
    N_("cannot be graded"): "unreadable",
    N_("wait for a person"): "waiting",
    N_("feedback written"): "feedback",
    N_("feedback returned"): "returned",
    N_("excused"): "excused",
    N_("not handed in"): "missing",
    N_("not in students.csv"): "strangers",
}


def print_result(result: Result, language: str = "en") -> None:
    """Show one notebook's points and reasons."""
    for question in result.questions:
        points = N_("{points:g} of {most:g}") if question.points is not None else N_("graded by hand of {most:g}")
        earned = T_(points, points=question.points, most=question.max_points)
        console.print(Text.assemble((question.id, "bold"), "  ", earned), highlight=False)
        for line in lines(question.verdicts, language):
            console.print(f"  {line}", markup=False, highlight=False)
    for message in result.mended:
        console.print(T_("Repaired: {message}", message=message.render(language)), markup=False)
    for flag in result.flags:
        console.print(T_("Flag: {flag}", flag=shown_flag(flag, spoken())), markup=False)
    cost = {"seconds": result.seconds, "cpu": result.cpu_seconds}
    console.print(T_("{seconds:.1f} s, {cpu:.1f} CPU-s", **cost))


@contextlib.contextmanager
def bar() -> Iterator[OnStep]:
    """Yield a callback that draws a progress bar per stage, with the time that remains."""
    counts = progress.BarColumn(), progress.MofNCompleteColumn()
    times = progress.TimeElapsedColumn(), progress.TimeRemainingColumn()
    student = progress.TextColumn("{task.fields[student]}", markup=False)
    with progress.Progress("{task.description}", *counts, *times, student, console=console) as bars:
        tasks: dict[str, progress.TaskID] = {}

        def on_step(stage: str, student: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(T_(STEPS[stage]), total=total, student="")
            bars.update(tasks[stage], completed=done, student=printable(student)[:NAME_WIDTH])

        yield on_step


def first_names(names: Sequence[str]) -> str:
    """Return the first names of a list, safe to print, with "…" in place of any others."""
    return ", ".join(map(printable, names[:MOST_NAMES])) + ", …" * (len(names) > MOST_NAMES)


def print_collected(lesson_name: str, result: Collected) -> None:
    """Show the new submissions, and below them what needs a person."""
    names = first_names(result.new + result.newer)
    numbers = {"new": len(result.new), "newer": len(result.newer), "all": result.students}
    collected = N_("{lesson}, from {ways}: {new} new, {newer} newer{whose}; {all} in all.")
    ways, whose = T_(" and ").join(map(translated, result.ways)), names and f" ({names})"
    lines = [T_(collected, lesson=lesson_name, ways=ways, whose=whose, **numbers)]
    lines += [printable(remark) for remark in result.remarks]
    if result.strangers:
        unknown = N_("Not in students.csv ({number}), and not graded until they are: {names}.")
        lines.append(T_(unknown, number=len(result.strangers), names=first_names(result.strangers)))
    lines.append(T_("Next: {command}", command=f"workbook grade {lesson_name}"))
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def print_status(lessons: list[Status]) -> None:
    """Show each lesson's status, a column for each lesson."""
    table = Table("", title=f"workbook {workbook_version()}")
    for status in lessons:
        table.add_column(status.lesson, justify="right")
    table.add_row(T_("released"), *(T_("yes") if status.released else T_("no") for status in lessons))
    for what, name in STAGES.items():
        table.add_row(T_(what), *(str(getattr(status, name)) for status in lessons))
    if any(status.unsent is not None for status in lessons):
        table.add_row(T_("to send"), *(str(status.unsent) for status in lessons))
    console.print(table)


def print_questions(course: Course, lesson: Lesson) -> None:
    """Show each question's numbers and its commonest mistakes, and mark questions on which all earned the same."""
    by_student = class_marks(course, lesson)
    logs = [read_log(course, lesson.name, student) for student in sorted(by_student)]
    made = Counter(pair for log in logs for pair in mistakes_made(log))  # by (question, mistake)
    table = Table(title=T_("{lesson}, submissions: {number}", lesson=lesson.name, number=len(by_student)))
    # Without the column of waiting answers: the last column mentions them.
    columns = {heading: text for heading, text in COLUMNS.items() if heading != WAITING}
    for heading in columns:
        justify: Literal["left", "right"] = "left" if heading == "question" else "right"
        head = fill(T_(SHORT.get(heading, heading)), HEADING_WIDTH)
        table.add_column(head, justify=justify, no_wrap=True, max_width=NAME_WIDTH)
    table.add_column(T_("commonest mistakes"), overflow="fold")
    for cell in lesson.of_role("test", "essay"):
        numbers = question_numbers(cell, by_student)
        shown = in_language(numbers, spoken())
        commonest = [(mistake, count) for (question, mistake), count in made.most_common() if question == cell.grade_id]
        remarks = [f"{mistake} ({count})" for mistake, count in commonest[:3]]
        if not numbers["graded"]:
            remarks = [T_("to be graded by hand")]
        elif numbers["waiting"]:
            remarks.append(T_("of {graded} graded; {waiting} to be graded by hand", **numbers))
        elif len({marks.scores[cell.grade_id] for marks in by_student.values() if cell.grade_id in marks.scores}) == 1:
            remarks.append(T_("[same marks for all: shows nothing]"))
        table.add_row(*(text(shown) for text in columns.values()), Text(", ".join(remarks)))
    console.print(table)
