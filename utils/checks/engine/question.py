"""Questions made of tests, whose oracle is the reference solution.

Nobody writes expected values. A test builds inputs, calls the student's object and returns its observation; the same
test with the same seed runs on the reference and on every catalogued mistake. An observation that agrees with the
reference's passes; one that agrees with a mistake's is named (`verdict.py`).

Two kinds of questions:

    check   `Check` (`check.py`), public: the reference's results for one seed come from a generated file, so that no
            solution is shipped
    exam    the instructors' question on the same gap: the reference's results are computed, with other seeds, in a
            process that the student's code cannot reach
"""

import linecache
import re
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from utils.checks.engine.failure import NOTHING_RETURNED, Failure
from utils.checks.engine.observation import Observation, Tolerance
from utils.checks.engine.probe import Probe
from utils.common.errors import NothingReturned, WorkbookError

# float32 has seven digits; after a softmax and two matrix products over widths below 100 five of them are exact.
DEFAULT_RTOL = 1e-4
DEFAULT_ATOL = 1e-5


@dataclass(frozen=True)
class Test:
    """One requirement, `ask`, and `function(probe, *students)`, which returns the value to compare."""

    __test__ = False  # pytest would collect the class because of its name

    name: str
    ask: str
    function: Callable[..., Any]
    weight: float
    tolerance: Tolerance


@dataclass
class Question:
    """A gap of a lesson and its tests.

    sizes: the length of each axis by its symbol; all lengths differ, so that no axis can be mistaken for another.
    lacks: for an attribute that the tests need, the sentence that is shown when the student's object lacks it.
    """

    name: str
    title: str
    sizes: dict[str, int]
    tests: dict[str, Test] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)

    def test(
        self, ask: str, *, weight: float = 1.0, rtol: float = DEFAULT_RTOL, atol: float = DEFAULT_ATOL
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Add the decorated function as a test.

        ask: the requirement in one sentence, as students read it. weight: the test's part of the question's points,
        relative to the other tests. rtol, atol: see `Tolerance`.
        """

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            name = function.__name__
            self.tests[name] = Test(name, ask, function, weight, Tolerance(rtol, atol))
            return function

        return add

    @property
    def lesson(self) -> str:
        """The lesson's name: `utils.LESSON.check` or `source.LESSON.exam` defines the first test."""
        module: str = next(iter(self.tests.values())).function.__module__
        return module.split(".")[1]


def seed_cpu(seed: int) -> None:
    """Seed torch's random numbers on the CPU, where checks and exams run.

    `torch.manual_seed` also writes down, for each kind of device that is not in use, from where it was called: 0.4 ms
    and more a call, 300 times as long.
    """
    torch.default_generator.manual_seed(seed)


def observe(test: Test, probe: Probe, students: Iterable[Any]) -> Observation:
    """Run one test and return its observation; an exception, `SystemExit` included, becomes a failure."""
    try:
        seen = probe.bring(test.function(probe, *students))
        return Observation(failure=Failure(NOTHING_RETURNED, "")) if seen is None else Observation(seen)
    except NothingReturned:
        return Observation(failure=Failure(NOTHING_RETURNED, ""))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's exit() must not end the check
        return Observation(failure=of_nothing(getattr(error, "failure", None) or failure_of(error)))


def defined_by(source: str) -> set[str]:
    """Return the functions and classes that a cell's text defines at top level, even if the text does not parse."""
    return set(re.findall(r"(?m)^(?:async +)?(?:def|class) +(\w+)", source))


def note_end(ended_by: dict[str, str], source: str, exception: str, defined: Collection[str] = ()) -> None:
    """Record that a cell has run: for each name that its text defines, the exception that ended the run.

    ended_by: the record, name -> exception; changed in place. source: the cell's text. exception: "" after a run
    without an error, which removes the names from the record. defined: names that the run did define, before it ended.
    """
    for name in defined_by(source):
        ended_by.pop(name, None)
        if exception and name not in defined:
            ended_by[name] = exception


def of_nothing(failure: Failure) -> Failure:
    """Return the failure as "returned None" where the test's own line, not the student's cell, failed on a None."""
    on_none = failure.kind in ("TypeError", "AttributeError") and "'NoneType' object" in failure.text
    return Failure(NOTHING_RETURNED, "") if on_none and not failure.where else failure


def failure_of(error: BaseException) -> Failure:
    """Describe an exception: its class, its text, and the innermost line of a notebook cell in its traceback."""
    where = ""
    # Not `extract_tb`, which reads the source of every module on the way.
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if "ipykernel" in file or file.startswith("<cell "):
            where = linecache.getline(file, line, frame.f_globals).strip() or "…"
    # In English, because stored fingerprints of mistakes hold the English text.
    text = error.render("en") if isinstance(error, WorkbookError) else str(error)
    return Failure(type(error).__name__, _shortened(" ".join(text.split()), 300), _shortened(where, 120))


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
