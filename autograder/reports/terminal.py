"""Prints what an instructor sees in the terminal: progress, marks with reasons, each question's numbers, status."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import Literal

from rich import progress
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.common.version import workbook_version
from autograder.examine.result import Result
from autograder.gradebook.books import StudentMarks, standings
from autograder.gradebook.log import Log, read_log
from autograder.gradebook.summary import OnStep, RunSummary
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.reports.report import COLUMNS, class_marks, mistakes_made, question_numbers
from autograder.reports.status import Status
from utils.checks.engine.panel import lines
from utils.common.printable import printable

console = Console(soft_wrap=False)
# Width of a student's name; a longer name is folded, so that the remarks keep their room.
NAME_WIDTH = 32
# Characters of a line in a heading of the table of questions, whose values are short.
HEADING_WIDTH = 8
# The rows of the table of status: what a number counts -> its name in `Status`.
STAGES = {"collected": "collected", "cannot be graded": "refused", "to grade": "changed", "graded": "graded"}
STAGES |= {"wait for a person": "waiting", "feedback written": "feedback", "feedback returned": "returned"}
STAGES |= {"excused": "excused", "not handed in": "missing"}


def print_result(result: Result, language: str = "en") -> None:
    """Show one notebook's points and reasons."""
    for question in result.questions:
        points = "graded by hand" if question.points is None else f"{question.points:g}"
        console.print(f"[bold]{question.id}[/bold]  {points} of {question.max_points:g}")
        for line in lines(question.verdicts, language):
            console.print(f"  {line}", markup=False, highlight=False)
    for message in result.mended:
        console.print(f"Mended: {message.render(language)}", markup=False)
    for flag in result.flags:
        console.print(f"Flag: {flag}", markup=False)
    console.print(f"{result.seconds:.1f} s, {result.cpu_seconds:.1f} CPU-s, inputs from seed {result.seed}")


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
                tasks[stage] = bars.add_task(stage, total=total, student="")
            bars.update(tasks[stage], completed=done, student=printable(student)[:NAME_WIDTH])

        yield on_step


def print_class(course: Path, lesson: Lesson, done: RunSummary) -> None:
    """Show each student's marks, and for each question that lost points the first reason."""
    most = sum(cell.points for cell in lesson.of_role("test", "essay"))
    table = Table(title=f"{lesson.name}: {len(done.graded)} graded, {len(done.unchanged)} unchanged")
    table.add_column("student", overflow="fold", max_width=NAME_WIDTH)
    table.add_column(f"of {most:g}", justify="right", no_wrap=True)
    table.add_column("what cost points, and what to look at", overflow="fold")
    found = standings(course, lesson.name)
    logs = {student: read_log(course, lesson.name, student) for student in found}
    for student, standing in sorted(found.items()):
        remarks = _of_the_book(standing) + _remarks(logs[student])
        mark = "excused" if standing.excused else f"{standing.total:g}" + "+" * bool(standing.waiting)
        table.add_row(Text(printable(student)), mark, Text("\n".join(map(printable, remarks))))
    console.print(table)
    if waiting := sum(len(standing.waiting) for standing in found.values()):
        console.print(f"+ {waiting} answers wait for a person, in formgrader: Manual Grading.", soft_wrap=True)
    for sentence in done.news:
        console.print(sentence, markup=False, soft_wrap=True)
    for student, (before, after) in sorted(done.moved.items()):
        console.print(f"Another mark: {printable(student)} {before:g} → {after:g}", markup=False)
    _print_versions(Counter(str(log.get("version", "")) for s, log in logs.items() if log and s not in done.failed))
    for student, reason in done.failed.items():
        console.print(Text.assemble((f"Not graded: {printable(student)} ", "bold"), printable(reason)), soft_wrap=True)
    for student, reason in done.without_page.items():
        told = ("No feedback, marks are safe: ", "bold"), printable(student), f" {printable(reason)}"
        console.print(Text.assemble(*told), soft_wrap=True)
    if (course / "feedback").is_dir():
        console.print(f"Feedback: {course / 'feedback'}/STUDENT/{lesson.name}/{lesson.name}.html", soft_wrap=True)


def _print_versions(versions: Counter[str]) -> None:
    """Print the version of this workbook, and how many marks other versions gave."""
    here = workbook_version()
    console.print(f"Graded by the workbook {here}.", markup=False, soft_wrap=True)
    for version, number in sorted(versions.items()):
        if version != here:
            said = version or "an older version"
            console.print(
                f"{number} marks were given by {said}; nothing that they depend on has changed since.", markup=False
            )


def _of_the_book(standing: StudentMarks) -> list[str]:
    """Return the remarks about lateness: a penalty, or that the time is not known."""
    remarks = [f"late by {standing.seconds_late / 3600:.1f} h: {-standing.penalty:g}"] if standing.penalty else []
    return remarks + ["when it was handed in is not known, though there is a due date"] * standing.no_time


def _remarks(log: Log) -> list[str]:
    """Return a line for each question that lost points, with its first reason, then flags and mendings."""
    remarks = []
    for question in log.get("questions", []):
        failed = [test for test in question["tests"] if not test["passed"]]
        if failed:
            name = question["id"].removeprefix(TEST_PREFIX)
            remarks.append(f"{name} {question['points']:g}/{question['max_points']:g}: {failed[0]['reason'][:160]}")
    if len(remarks) > 4:
        remarks[3:] = [f"… and {len(remarks) - 3} more questions"]
    remarks += [f"flag: {flag[:160]}" for flag in log.get("flags", [])[:2]]
    return remarks + [f"mended: {message[:160]}" for message in log.get("mended", [])[:2]]


def print_status(lessons: list[Status]) -> None:
    """Show each lesson's status, a column for each lesson."""
    table = Table("", title=f"workbook {workbook_version()}")
    for one in lessons:
        table.add_column(one.lesson, justify="right")
    table.add_row("released", *("yes" if one.released else "no" for one in lessons))
    for what, name in STAGES.items():
        table.add_row(what, *(str(getattr(one, name)) for one in lessons))
    console.print(table)


def print_questions(course: Path, lesson: Lesson) -> None:
    """Show each question's numbers and its commonest mistakes; a question for which all earned the same is marked."""
    found = class_marks(course, lesson)
    made = Counter(one for student in sorted(found) for one in mistakes_made(read_log(course, lesson.name, student)))
    table = Table(title=f"{lesson.name}: {len(found)} submissions")
    columns = {heading: text for heading, text in COLUMNS.items() if heading != "wait"}  # told beside the mistakes
    for heading in columns:
        side: Literal["left", "right"] = "left" if heading == "question" else "right"
        table.add_column(fill(heading, HEADING_WIDTH), justify=side, no_wrap=True, max_width=NAME_WIDTH)
    table.add_column("commonest mistakes", overflow="fold")
    for cell in lesson.of_role("test", "essay"):
        numbers = question_numbers(cell, found)
        here = [(mistake, count) for (question, mistake), count in made.most_common() if question == cell.grade_id]
        remarks = [f"{mistake} ({count})" for mistake, count in here[:3]]
        if not numbers["graded"]:
            remarks = ["to be graded by hand"]
        elif numbers["waiting"]:
            remarks.append(f"of {numbers['graded']} graded; {numbers['waiting']} to be graded by hand")
        elif len({one.scores[cell.grade_id] for one in found.values() if cell.grade_id in one.scores}) == 1:
            remarks.append("[all earned the same: it told nothing]")
        table.add_row(*(text(numbers) for text in columns.values()), Text(", ".join(remarks)))
    console.print(table)
