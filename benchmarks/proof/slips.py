"""Slips: the smallest changes to the reference, made by a program, most of which are in no catalogue of mistakes.

`python -m benchmarks.proof slips` makes one change to a reference solution at a time: another operator, another number,
two arguments exchanged, a line dropped. Every slip that changes the function's results must lose points; the slips that
lose none were examined by a person: they are `[[harmless]]` in the lesson's `mistakes.toml`. A name given to a test's
result must be true: with the inputs of other seeds, too, the slip's result in this test is that of the named mistake,
or of one in the named class.
"""

import ast
import contextlib
import copy
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from rich.console import Console

from autograder import mistakes
from autograder.exams import reference
from autograder.exams.exam import Exam, exams_of
from autograder.lesson.text import BEGIN_SOLUTION, END_SOLUTION, Lesson
from benchmarks.proof.in_process import (
    counted,
    exam_verdicts,
    in_words,
    mistakes_named,
    names_with,
    print_counts,
    quiet,
)
from utils.checks.engine.answer_key import in_double
from utils.checks.engine.evidence import ENOUGH_EVIDENCE, evidence
from utils.checks.engine.observation import Observation, same, shared_parts
from utils.checks.engine.outcome import Verdict
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Test, observe
from utils.checks.engine.verdict import PARTLY

# The largest share of names that may be false.
MOST_FALSE = 0.02
# The seeds with which slip and named mistake are compared: none of the verdicts was computed with their inputs.
OTHER_SEEDS = (101, 102)
# Operators that are easily confused: operator -> its replacements.
OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.Lt: (ast.GtE, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.BitOr: (ast.BitAnd,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}


@dataclass(frozen=True)
class Slip:
    """One change to a cell's solution: `what` describes change and line, `code` is the changed cell."""

    lesson: Lesson
    cell: str
    what: str
    code: str

    @property
    def gap(self) -> str:
        return f"{self.lesson.name}/{self.cell}"


@dataclass
class SlipVerdict:
    """The result of a slip: whether it lost points, the mistakes named, and those of them that are false.

    words: whether a failed test is named, or described in words.
    """

    slip: Slip
    lost: bool = False
    names: set[str] = field(default_factory=set)
    false: set[str] = field(default_factory=set)
    words: bool = False

    @property
    def harmless(self) -> bool:
        return not self.lost and is_harmless(self.slip)


@cache
def harmless(lesson: Lesson) -> dict[str, tuple[str, ...]]:
    """Return parts of `Slip.what` by cell: slips that rightly lose nothing. All others must lose points."""
    return {entry["cell"]: tuple(entry["slips"]) for entry in mistakes.entries(lesson, "harmless")}


def is_harmless(slip: Slip) -> bool:
    return any(part in slip.what for part in harmless(slip.lesson).get(slip.cell, ()))


def slips(lesson: Lesson) -> Iterator[Slip]:
    """Yield every slip of a lesson's solutions; of slips with the same code only the first."""
    for cell, solution in lesson.solutions.items():
        for what, code in changed(solution.code, lines_of_gaps(solution.source)):
            yield Slip(lesson, cell, what, code)


def changed(code: str, gaps: set[int]) -> Iterator[tuple[str, str]]:
    """Yield each change to the lines `gaps` of a cell: its description, and the changed code, each code once."""
    tree = ast.parse(code)
    seen, lines = {ast.unparse(tree)}, code.split("\n")
    places = [node for node in ast.walk(tree) if getattr(node, "lineno", 0) in gaps]
    for number, node in enumerate(places):
        for what, change in _changes(node):
            copied = copy.deepcopy(tree)
            there = [other for other in ast.walk(copied) if getattr(other, "lineno", 0) in gaps][number]
            change(there, copied)
            with contextlib.suppress(ValueError):
                slipped = ast.unparse(ast.fix_missing_locations(copied))
                if slipped not in seen:
                    seen.add(slipped)
                    line = lines[getattr(node, "lineno", 1) - 1].strip()
                    yield f"{ast.unparse(node)} {what}: {line}", slipped


def lines_of_gaps(source: str) -> set[int]:
    """Return the numbers of the lines that students write, counted in the cell without the solution's markers."""
    lines: set[int] = set()
    number, inside = 0, False
    for line in source.split("\n"):
        if line.strip() in (BEGIN_SOLUTION, END_SOLUTION):
            inside = line.strip() == BEGIN_SOLUTION
            continue
        number += 1
        if inside:
            lines.add(number)
    return lines


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield the changes that a node allows: a description, and a function that changes a copy.

    The function's arguments are the node's copy, and the copied tree that contains it.
    """
    if isinstance(node, ast.BinOp):
        for other in OPERATORS.get(type(node.op), ()):
            yield f"→ {other.__name__}", lambda there, _, other=other: setattr(there, "op", other())
        if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.FloorDiv | ast.Pow):
            yield "operands exchanged", _exchange_operands
    elif isinstance(node, ast.Compare):
        for other in OPERATORS.get(type(node.ops[0]), ()):
            yield f"→ {other.__name__}", lambda there, _, other=other: setattr(there, "ops", [other()])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert | ast.Not | ast.USub):
        yield "dropped", lambda there, tree: _replace(tree, there, there.operand)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield f"→ {value}", lambda there, _, value=value: setattr(there, "value", value)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"→ {not node.value}", lambda there, _: setattr(there, "value", not there.value)
    elif isinstance(node, ast.Call):
        for i in range(len(node.args) - 1):
            yield f"arguments {i + 1} and {i + 2} exchanged", lambda there, _, i=i: _exchange(there.args, i)
        for i, keyword in enumerate(node.keywords):
            yield f"without {keyword.arg}", lambda there, _, i=i: there.keywords.pop(i)
        if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
            yield "call dropped", lambda there, tree: _replace(tree, there, there.func.value)
    elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        for i in range(len(node.elts) - 1):
            yield f"items {i + 1} and {i + 2} exchanged", lambda there, _, i=i: _exchange(there.elts, i)
    elif isinstance(node, ast.stmt) and not isinstance(node, ast.Return | ast.FunctionDef):
        yield "dropped", lambda there, tree: _replace(tree, there, ast.copy_location(ast.Pass(), there))


def _exchange_operands(there: Any, _: ast.AST) -> None:
    there.left, there.right = there.right, there.left


def _exchange(items: list[ast.AST], i: int) -> None:
    items[i], items[i + 1] = items[i + 1], items[i]


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(item is old for item in value):
                setattr(parent, name, [new if item is old else item for item in value])


def examine_slip(slip: Slip, seed: int = 0) -> SlipVerdict:
    """Examine a slip in this process, by the exam and by the public check of its cell."""
    found, lesson = SlipVerdict(slip), slip.lesson
    with quiet():
        try:
            names = names_with(lesson, slip.code, f"{slip.cell}:slip")
        except Exception:
            found.lost = True
            return found
        students = reference.exam_call(lesson, slip.cell, names)
        verdicts = exam_verdicts(lesson, slip.cell, students, seed)
        found.lost = not all(verdict.passed for verdict in verdicts)
        verdicts += reference.checks_of(lesson)[slip.cell].verdicts(students)
        found.names = mistakes_named(verdicts)
        found.words = in_words(verdicts)
        found.false = false_names(slip, students, verdicts)
    return found


def false_names(slip: Slip, students: tuple[Any, ...], verdicts: list[Verdict], made: str = "") -> set[str]:
    """Return the names, given to a slip's results, that are not true with the inputs of `OTHER_SEEDS`.

    students: the objects that the slip's cell hands to its question. verdicts: of its check, of its exam, or of both.
    made: the mistake that the answer has beside the slip; a name is true also if it gives the results together with it.
    """
    false: set[str] = set()
    exam = exams_of(slip.lesson)[slip.cell]
    for names_told in {(verdict.mistake, verdict.also) for verdict in verdicts if verdict.mistake}:
        named = {verdict.name for verdict in verdicts if (verdict.mistake, verdict.also) == names_told}
        told = tuple(name for name in names_told if name)
        together = [told, (*told, made)] if made and len(told) == 1 else [told]
        partly = {verdict.name for verdict in verdicts if verdict.reason and verdict.reason.template == PARTLY}
        tests = {test: test in partly for test in named & set(exam.tests)}
        if not any(_true(slip, exam, students, names, tests) for names in together):
            false |= set(told)
    return false


def _true(slip: Slip, exam: Exam, students: tuple[Any, ...], names: tuple[str, ...], tests: dict[str, bool]) -> bool:
    """Return whether names are true: the results in `tests` are those of the mistakes, one of each named class.

    names: one name, or two of mistakes that are made at once. tests: by name whether a part of the result is enough.
    """
    classes = {found.id: found.of for found in mistakes.classes_of(slip.lesson)}
    known = reference.mistakes_of(slip.lesson, slip.cell)
    for made in itertools.product(*(sorted(classes.get(name, frozenset({name})) & set(known)) for name in names)):
        with contextlib.suppress(KeyError):  # two that exclude each other
            if len(made) == 1:
                mutants = reference.mutant_students(slip.lesson, slip.cell, made[0])
            else:
                pair = (made[0], made[1]) if known.index(made[0]) < known.index(made[1]) else (made[1], made[0])
                mutants = reference.pair_students(slip.lesson, slip.cell, pair)
            if _alike(slip.lesson, exam, students, mutants, tests):
                return True
    return False


def _alike(lesson: Lesson, exam: Exam, one: tuple[Any, ...], other: tuple[Any, ...], tests: dict[str, bool]) -> bool:
    """Return whether two answers give the same results, or the same wrong parts, with the inputs of `OTHER_SEEDS`."""
    right = reference.students_of(lesson, exam.name)
    for seed in OTHER_SEEDS:
        probe = reference.key_of(lesson, exam, seed).probe
        for name, partly in tests.items():
            test = exam.tests[name]
            seen, shown = (_seen(test, probe(test), students, seed) for students in (one, other))
            if partly:
                expected = _seen(test, probe(test), right, seed)
                parts = shared_parts(shown.print, expected.print, seen, test.tolerance)
                if evidence(seen, expected.value, test.tolerance, parts) < ENOUGH_EVIDENCE:
                    return False
            elif not same(seen, shown, test.tolerance):
                return False
    return True


def _seen(test: Test, probe: Probe, students: tuple[Any, ...], seed: int) -> Observation:
    torch.manual_seed(seed)
    with in_double():  # two ways to write one formula differ in the last digits, of large angles most
        return observe(test, probe, students)


# Columns of the table: slips of a cell, the harmless ones, all others that lose nothing; the named, the falsely named,
# those with a name or another word.
COUNTED = ("slips", "harmless", "lost nothing", "named", "false", "in words")


def slip_table(found: list[SlipVerdict]) -> dict[str, dict[str, int]]:
    """Return the counts by cell, and of all cells together."""
    return counted(COUNTED, ((one.slip.gap, _counts(one)) for one in found))


def _counts(one: SlipVerdict) -> tuple[int, ...]:
    return 1, one.harmless, not one.lost and not one.harmless, bool(one.names), bool(one.false), one.words


def good(found: list[SlipVerdict]) -> bool:
    """Return whether every slip that is not harmless lost points, and at most `MOST_FALSE` of all names are false."""
    everything = slip_table(found)["all"]
    return not everything["lost nothing"] and everything["false"] <= MOST_FALSE * everything["named"]


def print_slips(found: list[SlipVerdict]) -> None:
    """Print the table, and each slip that lost nothing or was named falsely."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    print_counts(console, COUNTED, slip_table(found))
    for one in found:
        if not one.lost:
            nothing = "changes nothing" if one.harmless else "lost nothing"
            console.print(f"{one.slip.gap}: {one.slip.what}: {nothing}")
        if one.false:
            console.print(f"{one.slip.gap}: {one.slip.what}: named {', '.join(sorted(one.false))}")
