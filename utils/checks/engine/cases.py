"""Small cases: how they are declared, stored, run on a student's code, and compared with the right results.

    `CaseBook`    a lesson's case functions, by question, and the words for their axes
    `Pool`        a question's stored cases; the build has searched them, one for each known mistake
    `differing`   runs them on a student's code and yields those in which the code differs visibly from what is right

A stored case has several right results where right answers may differ. If the code gives a right result in all cases,
nothing is shown: a case must never accuse correct code.
"""

import contextlib
import io
import json
import logging
import random
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from utils.checks.engine.failure import Failure
from utils.checks.engine.on_the_way import Call, CallsNoted, Way, own_table
from utils.checks.engine.question import failure_of, seed_cpu
from utils.checks.engine.small import Small, Table, Take
from utils.common import lessons
from utils.common.messages import Message

CASES = "cases.json"  # in the lesson's folder
# Results differ visibly if a number differs by this much or more: nobody has to look at the third digit.
VISIBLE = 0.1
# Seconds after which no further case is run.
PATIENCE = 0.5


@dataclass(frozen=True)
class Case:
    """A case function `function(small, *students)` and the sizes that the build tries, smallest first.

    fallback: use this case only if no other one shows the mistake: its results, such as gradients, are harder to read.
    """

    name: str
    function: Callable[..., None]
    sizes: tuple[Mapping[str, int], ...]
    fallback: bool = False


@dataclass(frozen=True)
class Form:
    """Cases from which a student chooses one (`utils/checks/catch.py`).

    choices: the values of each number of the tape, by its name. The number is the index of the value.
    """

    case: str
    sizes: Mapping[str, int]
    choices: Mapping[str, Sequence[Any]]


class CaseBook:
    """The case functions of a lesson."""

    def __init__(self, words: Mapping[str, str]):
        """words: the template of an axis' label by its symbol, such as "position {number}"."""
        self.words = words
        self.cases: dict[str, dict[str, Case]] = {}
        self.ways: dict[str, list[Way]] = {}
        self.forms: dict[str, Form] = {}

    def case(
        self, question: str, symbols: str = "", *sizes: str, fallback: bool = False
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Add the decorated function as a case of a question; sizes as in `("N T", "1 2", "2 3")`."""
        rows = [dict(zip(symbols.split(), map(int, row.split()), strict=True)) for row in sizes or ("",)]

        def add(function: Callable[..., None]) -> Callable[..., None]:
            case = Case(function.__name__, function, tuple(rows), fallback)
            self.cases.setdefault(question, {})[case.name] = case
            return function

        return add

    def form(self, question: str, case: str, symbols: str, sizes: str, **choices: Sequence[Any]) -> None:
        """Let students choose a case of a question: see `Form`."""
        self.forms[question] = Form(case, dict(zip(symbols.split(), map(int, sizes.split()), strict=True)), choices)

    def way(self, question: str, function: str, *names: str, axes: str, into: bool = False, sums: str = "") -> None:
        """Add a value that the cases of a question show on the way to the result: see `Way`."""
        self.ways.setdefault(question, []).append(Way(function, names, axes, into, sums))


class Lacking(AttributeError):
    """A case's stand-in lacks an attribute of the real part, so the case says nothing about code that asks for it."""


@dataclass(frozen=True)
class CaseRun:
    """One run of a case on some code; `failure` if the code raised an exception.

    calls: the noted calls of functions of torch. own: for each stored value on the way the code's own, with its title.
    """

    small: Small
    failure: Failure | None = None
    calls: tuple[Call, ...] = ()
    own: tuple[tuple[Message, Table] | None, ...] = ()


@dataclass(frozen=True)
class StoredCase:
    """A case's name, sizes and tape, the tables of each right answer, and the tables of intermediate values."""

    case: str
    sizes: Mapping[str, int]
    tape: tuple[int, ...]
    right: tuple[tuple[Table, ...], ...]
    steps: tuple[Table, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "case": self.case,
            "sizes": dict(self.sizes),
            "tape": list(self.tape),
            "right": [[_packed(table) for table in answer] for answer in self.right],
            "steps": [_packed(table) for table in self.steps],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "StoredCase":
        return cls(
            stored["case"],
            stored["sizes"],
            tuple(stored["tape"]),
            tuple(tuple(_unpacked(table) for table in answer) for answer in stored["right"]),
            tuple(_unpacked(table) for table in stored["steps"]),
        )


class Pool:
    """The stored cases of a question, the most telling first.

    case_of_mistake: the index of each mistake's case. shown_in: for each case the mistakes that differ visibly there.
    """

    def __init__(
        self,
        book: CaseBook,
        question: str,
        cases: Sequence[StoredCase],
        case_of_mistake: Mapping[str, int],
        shown_in: Sequence[frozenset[str]] = (),
    ):
        self.book, self.question, self.cases, self.case_of_mistake = book, question, cases, case_of_mistake
        self.shown_in = shown_in or [frozenset()] * len(cases)

    @classmethod
    def read(cls, book: CaseBook, lesson: str, question: str) -> "Pool":
        """Read a question's cases; the pool is empty if none are stored."""
        path = lessons.made(lesson, CASES)
        stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        entry = stored.get(question, {"cases": [], "of": {}})
        cases, known = [StoredCase.from_json(case) for case in entry["cases"]], entry.get("known", "").split()
        shown = [
            frozenset(m for bit, m in enumerate(known) if int(mask, 16) >> bit & 1) for mask in entry.get("shown", ())
        ]
        return cls(book, question, cases, entry["of"], shown)

    def shows(self, stored: StoredCase) -> frozenset[str]:
        """Return the mistakes that differ visibly in one of this pool's cases."""
        return next(shown for case, shown in zip(self.cases, self.shown_in, strict=True) if case is stored)

    def run(self, stored: StoredCase, students: Iterable[Any]) -> CaseRun:
        """Run a stored small case on the student's functions and classes.

        The case function draws its inputs from the case's stored numbers (`tape`). If it draws fewer than are stored,
        the student's code got other inputs than the reference, so the run counts as failed.
        """
        tape = iter(stored.tape)
        run = self.run_with(stored.case, stored.sizes, lambda high, zero: next(tape), students)
        # Code that draws more than is stored has failed already: `next` raises StopIteration.
        left_over = run.failure is None and next(tape, None) is not None
        ways = self.book.ways.get(self.question, ())
        run = replace(run, own=tuple(own_table(ways, run.calls, step) for step in stored.steps))
        return replace(run, failure=Failure("OtherInputs", "choices are left over")) if left_over else run

    def run_with(self, name: str, sizes: Mapping[str, int], take: Take, students: Iterable[Any]) -> CaseRun:
        """Run a case function, isolated: output, warnings and random numbers of the code have no effect outside."""
        small = Small(self.question, sizes, self.book.words, take)
        case = self.book.cases[self.question][name]
        noted = CallsNoted({way.function for way in self.book.ways.get(self.question, ())})
        failure = None
        try:
            with isolated(), noted:
                case.function(small, *students)
        except KeyboardInterrupt:
            raise
        except Lacking:
            failure = Failure(
                "Lacking", "a stand-in lacks what the code asks for"
            )  # with no line: the case is not shown
        except BaseException as error:  # a student's exit() must not end the check
            failure = failure_of(error)
        return CaseRun(small, failure, tuple(noted.calls))

    def differing(self, students: Sequence[Any], mistakes: Iterable[str] = ()) -> Iterator[tuple[StoredCase, CaseRun]]:
        """Yield the cases in which the student's code differs visibly, those of the named mistakes first.

        The first of several named mistakes is shown by a case whose results the others leave right, if such a case
        exists. Cases in which the code raises an exception come last, and only if a line of the student's raises it: a
        student could not repair an exception in a case's own lines.
        """
        named = list(dict.fromkeys(mistakes))
        first = [self.case_of_mistake[mistake] for mistake in named if mistake in self.case_of_mistake]
        alone = [i for i in (*first, *range(len(self.cases))) if self.shown_in[i] & set(named) == {*named[:1]}]
        order = dict.fromkeys([*(alone if len(named) > 1 else ()), *first, *range(len(self.cases))])
        raising = []
        end = time.monotonic() + PATIENCE
        for number in order:
            if time.monotonic() > end:
                break
            run = self.run(self.cases[number], students)
            if run.failure and run.failure.where:
                raising.append((self.cases[number], run))
            elif not run.failure and differs(run, self.cases[number].right):
                yield self.cases[number], run
                end = time.monotonic() + PATIENCE  # the caller's time between two cases does not count
        yield from raising


@contextlib.contextmanager
def isolated() -> Iterator[None]:
    """Hide the output, the logs and the warnings of code, and restore the random generators' states afterwards."""
    log_level = logging.root.manager.disable
    python_rng, torch_rng = random.getstate(), torch.random.get_rng_state()
    logging.disable()
    # The same numbers in each run: else code that draws at random would differ from the reference by chance.
    random.seed(0)
    seed_cpu(0)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            with contextlib.redirect_stderr(io.StringIO()):
                yield
    finally:
        logging.disable(log_level)
        random.setstate(python_rng)
        torch.random.set_rng_state(torch_rng)


def differs(run: CaseRun, right: Iterable[Sequence[Table]]) -> bool:
    """Return whether the results of a run differ visibly from those of every right answer."""
    return all(any(cells is not None for cells in differences(run.small.results, answer)) for answer in right)


def differences(
    seen: Sequence[Table], right: Sequence[Table], least: float = VISIBLE
) -> list[torch.Tensor | bool | None]:
    """Return for each right table how the seen one differs, as `differing_cells` does; a missing one counts as None."""
    values = [table.value for table in seen] + [None] * (len(right) - len(seen))
    return [differing_cells(value, table.value, least) for value, table in zip(values, right, strict=False)]


def differing_cells(seen: Any, right: Any, least: float = VISIBLE) -> torch.Tensor | bool | None:
    """Compare two results: None if they agree, else the mask of the cells that differ, True for another shape or type.

    least: two numbers that differ by less agree; equal infinities, and two NaN, agree as well.
    """
    if not isinstance(right, torch.Tensor):
        return None if type(seen) is type(right) and seen == right else True
    if not isinstance(seen, torch.Tensor) or seen.shape != right.shape:
        return True
    seen, right = seen.double(), right.double()
    differing: torch.Tensor = ~((seen - right).abs() < least) & ~(seen == right) & ~(seen.isnan() & right.isnan())
    return differing if differing.any() else None


def nearest(run: CaseRun, right: Iterable[Sequence[Table]]) -> Sequence[Table]:
    """Return the right answer that differs from the seen one in the fewest cells."""

    def count(answer: Sequence[Table]) -> float:
        # Another shape or type counts as 1000 cells: more than any table has, so that it is always the worse fit.
        tables = differences(run.small.results, answer)
        return sum(float(cells.sum()) if isinstance(cells, torch.Tensor) else 1000 * bool(cells) for cells in tables)

    return min(right, key=count)


def _packed(table: Table) -> dict[str, Any]:
    """Return a table as JSON: whole numbers without a point, others with four digits, NaN as null."""
    value = table.value
    if isinstance(value, torch.Tensor):
        flat = value.reshape(-1).tolist()
        whole = not value.is_floating_point() or all(x == round(x) for x in flat if abs(x) < 1e9)
        # JSON knows no NaN, the only number that differs from itself; infinities stay as Python writes them.
        numbers = [(int(x) if whole and abs(x) < 1e9 else round(x, 4)) if x == x else None for x in flat]
        kind = "truths" if value.dtype == torch.bool else "numbers"
        value = {"shape": list(value.shape), kind: numbers}
    return {"name": table.name, "value": value, "axes": list(table.axes), "sums": table.sums}


def _unpacked(stored: Mapping[str, Any]) -> Table:
    value = stored["value"]
    if isinstance(value, dict):
        truths = "truths" in value
        numbers = [float("nan") if x is None else x for x in value["truths" if truths else "numbers"]]
        dtype = torch.bool if truths else torch.float64
        value = torch.tensor(numbers, dtype=dtype).reshape(value["shape"])
    return Table(stored["name"], value, tuple(stored["axes"]), stored["sums"])
