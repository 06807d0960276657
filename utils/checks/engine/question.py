"""Questions made of tests, whose oracle is the reference solution.

Nobody writes expected values. A test builds inputs, calls the student's object and returns what it saw; the same test
with the same seed is run on the reference, and on every catalogued mistake. What agrees with the reference passes;
what agrees with a mistake is named (`verdict.py`).

Two kinds: `Check` (`check.py`), the public one, whose answers for one seed come from a generated file, so that no
solution ships; and the instructors' exam of the same gap, which computes them with other seeds, in a process that the
student's code cannot reach.
"""

import linecache
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from utils.checks.engine.observation import NOTHING_RETURNED, Failure, Observation, Tolerance
from utils.checks.engine.probe import Probe
from utils.common.errors import NothingReturned, WorkbookError

# float32 keeps seven digits; a softmax and two matrix products over widths below 100 leave five.
DEFAULT_RTOL = 1e-4
DEFAULT_ATOL = 1e-5


@dataclass(frozen=True)
class Test:
    """One thing asked: `function(probe, *students)` returns the observation."""

    __test__ = False  # for pytest, which would collect it by its name

    name: str
    ask: str
    function: Callable[..., Any]
    weight: float
    tolerance: Tolerance


@dataclass
class Question:
    """A gap of a lesson and its tests; `sizes` gives each axis' symbol a length of its own.

    `lacks` maps an attribute that the tests need to the sentence for an answer that has none.
    """

    name: str
    title: str
    sizes: dict[str, int]
    tests: dict[str, Test] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)

    def test(
        self, ask: str, *, weight: float = 1.0, rtol: float = DEFAULT_RTOL, atol: float = DEFAULT_ATOL
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Add the decorated function as a test; `ask` says in one sentence what it asks."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            name = function.__name__
            self.tests[name] = Test(name, ask, function, weight, Tolerance(rtol, atol))
            return function

        return add

    @property
    def lesson(self) -> str:
        """The lesson's name: that of the module, or package, in `checks` or `exams` in which the first test stands."""
        module: str = next(iter(self.tests.values())).function.__module__
        return module.removeprefix("utils.checks.").removeprefix("autograder.exams.").partition(".")[0]


def observe(test: Test, probe: Probe, students: Iterable[Any]) -> Observation:
    """Run one test and return what it saw; whatever the student's code raises becomes a failure."""
    try:
        seen = probe.bring(test.function(probe, *students))
        return Observation(failure=Failure(NOTHING_RETURNED, "")) if seen is None else Observation(seen)
    except NothingReturned:
        return Observation(failure=Failure(NOTHING_RETURNED, ""))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a student's exit() must not end the check
        return Observation(failure=of_nothing(getattr(error, "failure", None) or failure_of(error)))


def defined_by(source: str) -> set[str]:
    """Return the functions and classes that a cell's text defines at its top, whether or not the text parses."""
    return set(re.findall(r"(?m)^(?:async +)?(?:def|class) +(\w+)", source))


def note_end(ended_by: dict[str, str], source: str, exception: str) -> None:
    """Keep, for all that a cell defines, the exception that ended its last run; "" where none did."""
    for name in defined_by(source):
        ended_by.pop(name, None)
        if exception:
            ended_by[name] = exception


def of_nothing(failure: Failure) -> Failure:
    """Return a failure as "returned None" where the test, not the student's cell, stumbled over a None."""
    stumbled = failure.kind in ("TypeError", "AttributeError") and "'NoneType' object" in failure.text
    return Failure(NOTHING_RETURNED, "") if stumbled and not failure.where else failure


def failure_of(error: BaseException) -> Failure:
    """Describe an exception: its class, its text, and the line of the notebook cell that raised it."""
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if "ipykernel" in frame.filename or frame.filename.startswith("<cell "):
            where = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip() or "…"
    # By its English text a mistake is known again in any language.
    text = error.render("en") if isinstance(error, WorkbookError) else str(error)
    return Failure(type(error).__name__, _shortened(" ".join(text.split()), 300), _shortened(where, 120))


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
