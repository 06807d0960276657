"""The confusion table: the exams' verdicts on every catalogued mistake, every correct variant and every attack.

`python -m benchmarks.proof verdicts` grades them all as real submissions: composed into a notebook, taken in, run in
the sandbox, examined. `--quick` examines the same answers, with the same questions and seeds, in this process: an
author has the result in seconds.
"""

import contextlib
import io
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from rich.console import Console
from rich.table import Table

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.examine.examiner import examine
from autograder.exams import reference
from autograder.intake.notebook import take_in_bytes
from autograder.lesson.compose import compose
from autograder.lesson.text import TEST_PREFIX, Lesson, write_notebook
from autograder.sandbox.parent import Sandbox
from benchmarks.proof.attacks import AttackCounts
from benchmarks.proof.habits import HabitCounts, print_habits
from benchmarks.proof.in_process import exam_verdicts, mistakes_named, names_with
from utils.checks.engine.outcome import Verdict
from utils.checks.engine.source import defines
from utils.checks.own_code import OwnCode


def variants_of(lesson: Lesson) -> list[Path]:
    """Return the files of correct answers to a lesson's questions."""
    return sorted(path for part in lesson.parts for path in (part.source / "variants").glob("*.py"))


@dataclass(frozen=True)
class Case:
    """One answer to one cell, and its expected result.

    mistake: the id of the mistake; "" for a correct variant. loses: the graded cells that must lose points.
    """

    lesson: Lesson
    cell: str
    name: str
    code: str
    mistake: str = ""
    loses: tuple[str, ...] = ()

    @property
    def gap(self) -> str:
        """The lesson and its cell: a row of the table."""
        return f"{self.lesson.name}/{self.cell}"


@dataclass
class CountsRow:
    """The result of a case.

    lost: graded cell -> lost share of its points. named, named_by_check: the mistakes that exams and checks name.
    complaints: how the result differs from the expected one.
    """

    case: Case
    lost: dict[str, float] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    named_by_check: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)
    seconds: float = 0.0


# Columns of the table: mistakes of a cell, and how many are caught and named; variants, and how many are rejected.
COUNTED = ("mistakes", "caught", "named", "named_by_check", "variants", "rejected", "seconds")
GapCounts = dict[str, float]


class CaseTable(TypedDict):
    """The confusion table without attacks, as data: counts by cell, and each case with a complaint."""

    cells: dict[str, GapCounts]
    complaints: dict[str, list[str]]
    not_named_by_check: list[str]


class Confusion(CaseTable, total=False):
    """The confusion table as data, with the attacks and the harmless habits if they were graded."""

    attacks: dict[str, AttackCounts]
    habits: dict[str, HabitCounts]


def cases(lesson: Lesson, *, kinds: Iterable[str] = ("mistakes", "variants")) -> Iterator[Case]:
    """Yield every mistake and every correct variant of a lesson."""
    if "mistakes" in kinds:
        for mistake in mistakes.load(lesson).values():
            code = mistakes.code_of(lesson, mistake)
            yield Case(lesson, mistake.cell, mistake.id, code, mistake.id, mistake.loses)
    if "variants" in kinds:
        for path in variants_of(lesson):
            cell, _, name = path.stem.partition("__")
            yield Case(lesson, cell, name, path.read_text(encoding="utf-8"))


def examine_all(lessons: list[Lesson], *, quick: bool = False, seeds: int = 1, only: str = "") -> list[CountsRow]:
    """Examine all cases whose name contains `only`."""
    chosen = [case for lesson in lessons for case in cases(lesson) if only in case.name]
    silence = contextlib.redirect_stdout(io.StringIO())  # because some variants print
    if quick:
        with silence:
            return [examine_quickly(case, seed) for case in chosen for seed in range(seeds)]
    with silence, Sandbox(WORKBOOK) as sandbox:
        return [examine_really(case, sandbox) for case in chosen]


def examine_really(case: Case, sandbox: Sandbox) -> CountsRow:
    """Grade a case as a submission whose other cells are the reference's."""
    started = time.monotonic()
    notebook = compose(case.lesson, {case.cell: case.code})
    taken = take_in_bytes(write_notebook(notebook).encode(), case.lesson)
    row = CountsRow(case)
    for question in examine(taken.notebook, case.lesson, sandbox).questions:
        _note(row, question.id, question.verdicts)
    _run_checks(row)
    row.seconds = time.monotonic() - started
    return conclude(row)


def examine_quickly(case: Case, seed: int) -> CountsRow:
    """Examine a case in this process."""
    started = time.monotonic()
    row, lesson = CountsRow(case), case.lesson
    names = _names(row)
    for question in lesson.tests if names else ():
        students = reference.exam_call(lesson, question, names)
        _note(row, TEST_PREFIX + question, exam_verdicts(lesson, question, students, seed))
    _run_checks(row)
    row.seconds = time.monotonic() - started
    return conclude(row)


def _names(row: CountsRow) -> dict[str, Any]:
    """Run the case's cell after the reference's cells and return all names; none when the cell raises."""
    try:
        return names_with(row.case.lesson, row.case.code, f"{row.case.cell}:{row.case.name}")
    except Exception as error:
        row.complaints.append(f"its cell raises {type(error).__name__}: {error}")
        return {}


def _run_checks(row: CountsRow) -> None:
    """Run the public checks of the case's cell, and of the cells in which it must lose points."""
    case, lesson, names = row.case, row.case.lesson, _names(row)
    for question, check in reference.checks_of(lesson).items() if names else ():
        if question != case.cell and TEST_PREFIX + question not in case.loses:
            continue
        students = reference.exam_call(lesson, question, names)
        seen = check.verdicts(students)
        row.named_by_check |= mistakes_named(seen)
        if not case.mistake and not all(verdict.passed for verdict in seen):
            row.complaints.append(f"the check rejects it: {_reasons(seen)}")


def _note(row: CountsRow, graded: str, verdicts: list[Verdict]) -> None:
    lost = sum(verdict.share for verdict in verdicts if not verdict.passed)
    if lost and not asks_about(row.case, graded.removeprefix(TEST_PREFIX)):
        row.lost[graded] = lost
        row.named |= mistakes_named(verdicts)
        if not row.case.mistake:
            row.complaints.append(f"{graded}: {_reasons(verdicts)}")


def asks_about(case: Case, question: str) -> bool:
    """Return whether a question asks about the code of the case's cell: the reference's answers are of other code."""
    check = reference.checks_of(case.lesson).get(question)
    return isinstance(check, OwnCode) and question != case.cell and defines(case.code, check.gap.name)


def _reasons(verdicts: list[Verdict]) -> str:
    return "; ".join(f"{v.name}: {v.reason.render()}" for v in verdicts if v.reason)


def conclude(row: CountsRow) -> CountsRow:
    """Add complaints: points not lost, points lost in other cells, a mistake not named or named wrongly."""
    case = row.case
    if not case.mistake:
        return row
    if missed := [graded for graded in case.loses if graded not in row.lost]:
        row.complaints.append(f"not noticed by {', '.join(missed)}")
    if elsewhere := [graded for graded in row.lost if graded not in case.loses]:
        row.complaints.append(f"points lost elsewhere: {', '.join(elsewhere)}")
    if row.lost and not is_named(case, row.named):
        row.complaints.append(f"named {', '.join(sorted(row.named)) or 'nothing'} instead")
    return row


def is_named(case: Case, named: set[str]) -> bool:
    """Return whether only the mistake, or a class of look-alikes with it, was named."""
    return bool(named) and named <= mistakes.family(case.lesson, case.mistake)


def table(rows: list[CountsRow]) -> Confusion:
    """Return the confusion table of the examined cases."""
    by_cell: dict[str, GapCounts] = {}
    for row in rows:
        entry = by_cell.setdefault(row.case.gap, dict.fromkeys(COUNTED, 0))
        entry["seconds"] = round(entry["seconds"] + row.seconds, 2)
        if row.case.mistake:
            entry["mistakes"] += 1
            entry["caught"] += all(graded in row.lost for graded in row.case.loses)
            entry["named"] += is_named(row.case, row.named)
            entry["named_by_check"] += is_named(row.case, row.named_by_check)
        else:
            entry["variants"] += 1
            entry["rejected"] += bool(row.complaints)
    complaints = {f"{r.case.gap}/{r.case.name}": r.complaints for r in rows if r.complaints}
    mistaken = [row for row in rows if row.case.mistake]
    unnamed = [f"{row.case.gap}/{row.case.name}" for row in mistaken if not is_named(row.case, row.named_by_check)]
    return {"cells": by_cell, "complaints": complaints, "not_named_by_check": unnamed}


def print_table(data: Confusion) -> None:
    """Print the confusion table."""
    width = None if sys.stdout.isatty() else 120
    console = Console(soft_wrap=True, width=width, markup=False, highlight=False)
    shown = Table("cell", "wrong", "caught", "named", "by check", "right", "rejected", "s")
    shown.columns[0].no_wrap = True
    for cell, entry in data["cells"].items():
        shown.add_row(cell, *(f"{value:g}" for value in entry.values()))
    sums = [sum(entry[counted] for entry in data["cells"].values()) for counted in COUNTED]
    shown.add_row("all", *(f"{value:g}" for value in sums), style="bold")
    console.print(shown)
    for case, complaints in data["complaints"].items():
        console.print(f"{case}: {'; '.join(complaints)}")
    if "attacks" in data:
        attacks = Table("attacks", "graded", "flagged", "won something", "s")
        for kind, found in data["attacks"].items():
            row = (found["attacks"], found["flagged"], len(found["won"]), found["seconds"])
            attacks.add_row(kind, *(f"{value:g}" for value in row))
        console.print(attacks)
        for won in (won for found in data["attacks"].values() for won in found["won"]):
            console.print(won)
    if "habits" in data:
        print_habits(data["habits"])
    for case in data["not_named_by_check"]:
        console.print(f"{case}: not named by the public check")


def print_credit(rows: list[CountsRow]) -> None:
    """Print how many of its question's points each mistake keeps."""
    console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 160)
    shown = Table("cell", "mistake", "points left", "of")
    for row in rows:
        case = row.case
        if case.mistake and case.cell in case.lesson.tests:
            most = case.lesson.tests[case.cell].points
            left = most * (1 - row.lost.get(TEST_PREFIX + case.cell, 0.0))
            shown.add_row(case.gap, case.name, f"{left:.2f}", f"{most:g}")
    console.print(shown)
