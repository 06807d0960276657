"""An answer examined in this process: quick, for those who know what they run. Shared by verdicts, pairs and slips."""

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
from utils.checks.engine.question import observe
from utils.checks.engine.verdict import Verdict, judge

Counts = dict[str, dict[str, int]]


def names_with(lesson: Lesson, code: str, label: str) -> dict[str, Any]:
    """Return the reference's names with one more cell run over them. Raises: what the cell raises."""
    names = dict(reference.reference_names(lesson))
    reference.run_cell(code, label, names)
    return names


def exam_verdicts(lesson: Lesson, question: str, students: tuple[Any, ...], seed: int) -> list[Verdict]:
    """Return what the exam makes of a student's objects, with the inputs of a seed."""
    exam = exams_of(lesson)[question]
    key = reference.key_of(lesson, exam, seed)
    return judge(exam, key, lambda test: observe(test, key.probe(test), students))


def mistakes_named(verdicts: Iterable[Verdict]) -> set[str]:
    """Return the mistakes, and classes of look-alikes, that verdicts name."""
    return {verdict.mistake for verdict in verdicts if verdict.mistake}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let nothing be seen of what examined code prints and warns of."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def counted(columns: Sequence[str], rows: Iterable[tuple[str, Sequence[int]]]) -> Counts:
    """Return the sums of each row's counts by its cell, and of all together, which stand last."""
    table: Counts = {}
    for gap, counts in rows:
        for name in (gap, "all"):
            entry = table.setdefault(name, dict.fromkeys(columns, 0))
            for column, count in zip(columns, counts, strict=True):
                entry[column] += count
    table["all"] = table.pop("all", dict.fromkeys(columns, 0))
    return table


def print_counts(console: Console, columns: Sequence[str], table: Counts) -> None:
    """Show such sums."""
    shown = Table("cell", *columns)
    for gap, entry in table.items():
        shown.add_row(gap, *map(str, entry.values()), style="bold" if gap == "all" else "")
    console.print(shown)
