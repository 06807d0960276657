"""Examine an answer in this process, without a sandbox: quick, for trusted code. Also: counts by cell, printed."""

import contextlib
import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from utils.checks.engine.outcome import Verdict
from utils.checks.engine.question import observe
from utils.checks.engine.verdict import judge
from utils.common.messages import Message

Counts = dict[str, dict[str, int]]


def names_with(lesson: Lesson, code: str, label: str) -> dict[str, Any]:
    """Run a cell after the reference's cells and return all names. Raises: the cell's exception.

    label: the name under which the cell's lines appear in tracebacks.
    """
    names = dict(reference.reference_names(lesson))
    reference.run_cell(code, label, names)
    return names


def exam_verdicts(lesson: Lesson, question: str, students: tuple[Any, ...], seed: int) -> list[Verdict]:
    """Return the exam's verdicts on a student's objects, with the inputs of a seed."""
    exam = exams_of(lesson)[question]
    key = reference.key_of(lesson, exam, seed)
    return judge(exam, key, lambda test: observe(test, key.probe(test), students))


def mistakes_named(verdicts: Iterable[Verdict]) -> set[str]:
    """Return the ids of the mistakes, and classes of look-alikes, that verdicts name."""
    return {name for verdict in verdicts for name in (verdict.mistake, verdict.also) if name}


def ways_told(verdicts: Iterable[Verdict]) -> set[str]:
    """Return how failed tests are explained: "named", "described" by a kind of difference, or the line "quoted"."""
    ways: set[str] = set()
    for verdict in verdicts:
        values = verdict.reason.values if verdict.reason else {}
        ways |= {"named"} if verdict.mistake else set()
        ways |= {"described"} if isinstance(values.get("kind"), Message) else set()  # else an exception's class
        ways |= {"quoted"} if "where" in values else set()
    return ways


def in_words(verdicts: Iterable[Verdict]) -> bool:
    """Return whether a failed test has a name, a kind of difference in words, or the student's own line quoted."""
    return bool(ways_told(verdicts))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Hide the output and the warnings of examined code."""
    hidden = io.StringIO()
    with contextlib.redirect_stdout(hidden), contextlib.redirect_stderr(hidden), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def counted(columns: Sequence[str], rows: Iterable[tuple[str, Sequence[int]]]) -> Counts:
    """Return the sums of the rows' counts by cell, and last the sums of all rows; a row is (cell, counts)."""
    table: Counts = {}
    for gap, counts in rows:
        for name in (gap, "all"):
            entry = table.setdefault(name, dict.fromkeys(columns, 0))
            for column, count in zip(columns, counts, strict=True):
                entry[column] += count
    table["all"] = table.pop("all", dict.fromkeys(columns, 0))
    return table


def print_counts(console: Console, columns: Sequence[str], table: Counts) -> None:
    """Print the result of `counted`."""
    shown = Table("cell", *columns)
    for gap, entry in table.items():
        shown.add_row(gap, *map(str, entry.values()), style="bold" if gap == "all" else "")
    console.print(shown)
