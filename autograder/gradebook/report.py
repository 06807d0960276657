"""What an instructor sees in the terminal: progress, marks with reasons, and what a question taught."""

import contextlib
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from autograder.common.errors import GradingError
from autograder.examine.result import Result
from autograder.gradebook import converters
from autograder.gradebook.log import Log, read_log
from autograder.gradebook.summary import OnStep, RunSummary
from autograder.lesson.text import TEST_PREFIX, Lesson
from utils.checks.panel import lines
from utils.common.printable import printable

console = Console(soft_wrap=False)


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
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[student]}", markup=False),
    )
    with Progress(*columns, console=console) as progress:
        tasks: dict[str, TaskID] = {}

        def on_step(stage: str, student: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total, student="")
            progress.update(tasks[stage], completed=done, student=student)

        yield on_step


def print_class(course: Path, lesson: Lesson, done: RunSummary) -> None:
    """Show each student's marks, and for whoever lost some, the first reason."""
    automatic = {cell.grade_id: cell.points for cell in lesson.of_role("test")}
    table = Table(title=f"{lesson.name}: {len(done.graded)} graded, {len(done.unchanged)} unchanged")
    table.add_column("student", no_wrap=True)
    table.add_column(f"of {sum(automatic.values()):g}", justify="right", no_wrap=True)
    table.add_column("what cost points, and what to look at", overflow="fold")
    for student, scores in sorted(converters.marks(course, lesson.name).items()):
        total = sum(scores.get(name) or 0.0 for name in automatic)
        remarks = [printable(remark) for remark in _remarks(read_log(course, lesson.name, student))]
        table.add_row(Text(printable(student)), f"{total:g}", Text("\n".join(remarks)))
    console.print(table)
    for student, reason in done.failed.items():
        console.print(Text.assemble((f"Not graded: {printable(student)} ", "bold"), printable(reason)), soft_wrap=True)
    if (course / "feedback").is_dir():
        console.print(f"Feedback: {course / 'feedback'}/STUDENT/{lesson.name}/{lesson.name}.html", soft_wrap=True)


def _remarks(log: Log) -> list[str]:
    """Return one line for each question that lost points, with its first reason, then flags and mendings."""
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


def print_questions(course: Path, lesson: Lesson) -> None:
    """Show how each question went: a question that all or none pass teaches nothing and is marked."""
    marks = converters.marks(course, lesson.name)
    if not marks:
        raise GradingError(f"Nothing is graded yet; run: python -m autograder grade {lesson.name}")
    logs = [read_log(course, lesson.name, student) for student in marks]
    table = Table(title=f"{lesson.name}: {len(marks)} submissions")
    table.add_column("question", overflow="fold")
    for heading in ("mean", "full", "none", "agrees with\nthe rest"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("commonest mistakes", overflow="fold")
    for cell in lesson.of_role("test", "essay"):
        scores = {student: row.get(cell.grade_id) for student, row in marks.items()}
        known = {student: score for student, score in scores.items() if score is not None}
        if not known:
            table.add_row(cell.name, "–", "–", "–", "–", "to be graded by hand")
            continue
        full = sum(score == cell.points for score in known.values())
        none = sum(score == 0 for score in known.values())
        rest = [sum(s or 0 for name, s in marks[student].items() if name != cell.grade_id) for student in known]
        remarks = [f"{mistake} ({count})" for mistake, count in _made(logs, cell.grade_id).most_common(3)]
        if len(known) < len(scores):
            remarks.append(f"{len(scores) - len(known)} to be graded by hand")
        elif len(set(known.values())) == 1:
            remarks.append("[all earned the same: it told nothing]")
        table.add_row(
            cell.name,
            f"{statistics.mean(known.values()):.1f}/{cell.points:g}",
            f"{full / len(known):.0%}",
            f"{none / len(known):.0%}",
            _correlation(list(known.values()), rest),
            Text(", ".join(remarks)),
        )
    console.print(table)


def _made(logs: list[Log], grade_id: str) -> Counter[str]:
    """Count the students who made each mistake in a question."""
    asked = [question for log in logs for question in log.get("questions", []) if question["id"] == grade_id]
    # Of one student, a mistake that several tests recognise counts once.
    return Counter(
        mistake for question in asked for mistake in dict.fromkeys(t["mistake"] for t in question["tests"]) if mistake
    )


def _correlation(scores: list[float], rest: list[float]) -> str:
    """Say how a question's points go with those of all others: near 0, it tells nothing of who understood."""
    try:
        return f"{statistics.correlation(scores, rest):.2f}"
    except statistics.StatisticsError:
        return "–"
