"""The check of two questions on a student's own code (`engine/own_code.py`): it asks them, and reads the answers.

Whether the answers are right is judged only when they are graded, by the tests that `graded` returns: a check that
said so would be tried with each of the five words. Answers are values, because a program that tries out the code could
be handed on.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from utils.checks.check import Check
from utils.checks.engine.answer_key import CHECK_SEED
from utils.checks.engine.own_code import OUTCOMES, Asked, Gap, Inputs
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question
from utils.checks.engine.source import UNREADABLE
from utils.common.columns import wrap
from utils.common.errors import WorkbookError
from utils.common.messages import N_, said

NUMBER = N_(
    "1. Your `{name}` gets small whole numbers: {given}. There, {number} = {old}. If it were {new} instead, which "
    "{row} of {call} would change?"
)
LINE = N_("2. In your cell, line {line} is changed, from the first of these lines to the second:")
GIVES = N_(
    "What does your code give then, on the numbers of question 1 as they were? An “error”, a result of another "
    "“shape”, other numbers in “all” {row} or only in “some”, or the “same” result?"
)
ROWS_ASKED = N_("what changes in the result with one number")
LINE_ASKED = N_("what the changed line gives")
FORM_ASKED = N_("two answers, written as values; whether they are right is judged when they are graded")
NOT_READ = N_("your code cannot be asked about: its own check must pass, and its cell must be plain Python")
NOT_VALUES = N_("write both answers as values, without calls and without names from elsewhere")
NOT_FORMED = N_("the first answer is a list of pairs, such as `[(0, 1), (1, 0)]`, and the second one of the five words")
NOT_ROWS = N_("your list is not right")
NOT_OUTCOME = N_("the changed line gives something else")
HINTS = (
    N_(
        "First question: through which lines can the changed number reach a row? Does anything lead from one row to "
        "the next, or from one example of a batch to another?"
    ),
    N_(
        "Second question: write the shapes beside your lines, and follow them to the end. If they all fit, ask which "
        "rows use the numbers that the changed line makes."
    ),
    N_("Try it: copy your cell, give the copy another name, change the line, and run both on an input of your own."),
)
WIDTH = 96
SMALL = 24  # an input with more numbers is described by its shape
# What an answer may consist of.
PLAIN = (ast.Return, ast.Assign, ast.Expr, ast.Name, ast.Tuple, ast.List, ast.Constant, ast.expr_context)
E = TypeVar("E", bound=Question)


def texts(asked: Asked) -> list[str]:
    """Return the two questions as lines of text, in the notebook's language."""
    gap, (place, new, _), (change, _) = asked.gap, asked.number, asked.line
    name, first = next(iter(asked.inputs.items()))
    number = f"{name}{list(place)}"
    values = {"name": gap.name, "number": number, "old": int(first[place]), "new": new, "row": gap.row}
    before, after, _ = change.of(asked.source)
    return [
        *wrap(said(NUMBER, given=_given(asked.inputs), call=gap.call, **values), WIDTH),
        "",
        *wrap(said(LINE, line=change.line), WIDTH),
        f"    {before}",
        f"    {after}",
        *wrap(said(GIVES, row=gap.row), WIDTH),
    ]


def _given(inputs: Inputs) -> str:
    """Return inputs as code: small ones, other than the first, by their numbers, all others by their shapes."""
    first = next(iter(inputs))
    return ", ".join(
        f"{name}.shape = {tuple(value.shape)}"
        if name == first or value.numel() > SMALL
        else f"{name} = {(value.long() if value.is_floating_point() else value).tolist()}"
        for name, value in inputs.items()
    )


def is_plain(source: str, name: str) -> bool:
    """Return whether the function `name` in a cell's text consists of values and names that it assigns itself."""
    found = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name]
    nodes = [node for statement in found[-1].body for node in ast.walk(statement)] if found else []
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return bool(nodes) and all(isinstance(node, PLAIN) for node in nodes) and own >= {node.id for node in names}


@dataclass
class OwnCode(Check):
    """The check; `gap` is the gap that the questions are about."""

    gap: Gap = field(kw_only=True)
    hints: tuple[str, ...] = HINTS

    def __post_init__(self) -> None:
        self._add(self, FORM_ASKED, NOT_FORMED, self.not_formed)

    def graded(self, exam: E) -> E:
        """Return the exam with its tests: whether each answer is right."""
        del exam.tests[self.not_formed.__name__]
        self._add(exam, ROWS_ASKED, NOT_ROWS, self.other_rows)
        self._add(exam, LINE_ASKED, NOT_OUTCOME, self.other_outcome)
        return exam

    def ask(self, thing: Any) -> None:
        """Print the questions on a student's function or class. Raises: WorkbookError; what the code raises."""
        try:
            print("\n".join(texts(self.gap.asked(Probe(self.sizes, CHECK_SEED), thing))))
        except UNREADABLE:
            raise WorkbookError(NOT_READ) from None

    def not_formed(self, asked: Asked, rows: Any, word: Any) -> bool:
        """Return whether an answer is no answer at all; finding the right ones out must be possible, too."""
        place, *_ = asked.number
        listed = _rows(rows)
        axes = self.gap.row.count(",") + 1
        fit = listed is not None and all(len(row) == axes and {*map(type, row)} <= {int} for row in listed)
        return not (place and asked.line and fit and word in OUTCOMES)

    def other_rows(self, asked: Asked, rows: Any, word: Any) -> bool:
        return _rows(rows) != asked.number[-1]

    def other_outcome(self, asked: Asked, rows: Any, word: Any) -> bool:
        return bool(word != asked.line[-1])

    def _add(self, question: Question, ask: str, sentence: str, wrong: Callable[[Asked, Any, Any], bool]) -> None:
        """Add a test with one more sentence about an answer than those about all answers."""

        def test(probe: Probe, answers: Any, thing: Any) -> dict[str, bool]:
            rows, word = probe.several(answers(), 2)
            try:
                values = is_plain(probe.source(self.name, answers), self.name)
                found = values and wrong(self.gap.asked(probe, thing), rows, word)
            except UNREADABLE:
                return {NOT_READ: True, NOT_VALUES: False, sentence: False}
            return {NOT_READ: False, NOT_VALUES: not values, sentence: found}

        test.__name__ = wrong.__name__
        test.__module__ = self.gap.run.__module__  # the lesson's: a question's lesson is its first test's
        question.test(ask)(test)


def _rows(listed: Any) -> set[tuple[Any, ...]] | None:
    """Return a list of rows as a set; None for anything else."""
    try:
        return {tuple(row) for row in listed}
    except TypeError:
        return None
