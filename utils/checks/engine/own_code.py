"""Two questions on a student's own code, whose keys come from running that code.

    1. One number of a small input is another: which rows of the result change?
    2. One line is changed: does the same input give an error, another shape, other numbers in all rows or in some, or
       the same result?

Input, number, line and change are drawn from a hash of the code alone, without its comments and spaces: so a student's
kernel and the grader draw the same. The outcomes of a change are drawn evenly. What is near an edge, where rounding
might decide, is skipped.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from utils.checks.engine.answer_key import CHECK_SEED
from utils.checks.engine.cases import isolated
from utils.checks.engine.failure import STOPPED
from utils.checks.engine.probe import Probe
from utils.checks.engine.source import Change, bare, changes, definitions
from utils.common.errors import ResultError

ERROR, SHAPE, ALL, SOME, SAME = OUTCOMES = ("error", "shape", "all", "some", "same")
# The numbers of two equal rows differ by ALIKE at most, which is above the rounding of float32; in two different rows a
# number differs by APART.
ALIKE, APART = 1e-5, 1e-3
# Changes of a line that are tried for the outcome that was drawn; draws of a number until no row is near an edge.
MOST_CHANGES, MOST_NUMBERS = 32, 8
HIGH = 5  # numbers of an input are below this

Inputs = dict[str, torch.Tensor]
Row = tuple[int, ...]


class Draw:
    """Numbers from a hash of a text: the same on every computer and in every version of Python."""

    def __init__(self, text: str):
        self.text = text

    def __call__(self, what: str, below: int) -> int:
        return int(hashlib.sha256(f"{what}\n{self.text}".encode()).hexdigest(), 16) % below

    def whole(self, what: str, *shape: int) -> torch.Tensor:
        """Return whole numbers from 0 to 4, as floats."""
        drawn = [self(f"{what} {place}", HIGH) for place in range(int(np.prod(shape)))]
        return torch.tensor(drawn).reshape(shape).to(torch.get_default_dtype())


@dataclass(frozen=True)
class Gap:
    """The gap that the questions are about.

    name: of the function or class in the notebook. call: code that gets the result. row: code for a row of the result,
    with an index for each of its first axes. inputs: the inputs by name, of which the first is changed. run: returns
    the result, a tensor, of a student's function or class.
    """

    name: str
    call: str
    row: str
    inputs: Callable[[Probe, Draw], Inputs]
    run: Callable[[Probe, Any, Inputs], Any]

    def asked(self, probe: Probe, thing: Any, salt: str = "") -> "Asked":
        """Return the questions on a student's function or class; another `salt` draws others on the same code.

        Raises: `source.UNREADABLE` where the code cannot be read; what the code raises.
        """
        source = definitions(probe.source(self.name, thing), self.name)
        return Asked(self, probe, thing, source, Draw(salt + bare(source)))


class Asked:
    """The questions on one answer; a key is computed when it is needed."""

    def __init__(self, gap: Gap, probe: Probe, thing: Any, source: str, draw: Draw):
        self.gap, self.probe, self.thing, self.source, self.draw = gap, probe, thing, source, draw
        probe.weights_seed = CHECK_SEED  # a grader's probe has another seed, but the questions are the student's
        self.inputs = gap.inputs(probe, draw)
        self.result = self._run(thing, self.inputs)

    def _run(self, thing: Any, inputs: Inputs) -> torch.Tensor:
        with isolated(), torch.no_grad():
            copies = {name: value.clone() for name, value in inputs.items()}
            result = self.probe.value(self.gap.run(self.probe, thing, copies))
        if not isinstance(result, torch.Tensor):
            raise ResultError(f"expected a tensor, got {type(result).__name__}")
        return result.double()

    @cached_property
    def number(self) -> tuple[Row, int, set[Row]]:
        """The place of the changed number in the first input, its new value, and the rows that change.

        Raises: LookupError where each number that was drawn brings a row near an edge.
        """
        name, first = next(iter(self.inputs.items()))
        for attempt in range(MOST_NUMBERS):
            flat = self.draw(f"place {attempt}", first.numel())
            place = tuple(int(index) for index in np.unravel_index(flat, first.shape))
            new = (int(first[place]) + 1 + self.draw(f"new {attempt}", HIGH - 1)) % HIGH
            changed = first.clone()
            changed[place] = new
            rows = self._rows(self._run(self.thing, self.inputs | {name: changed}))
            if rows is not None:
                return place, new, {tuple(row) for row in rows.nonzero().tolist()}
        raise LookupError("each row is near an edge")

    @cached_property
    def line(self) -> tuple[Change, str]:
        """The change of a line, and its outcome. Raises: LookupError where no change has a clear outcome."""
        # By their numbers, not by their lines, which an empty line above moves.
        numbered = sorted(enumerate(changes(self.source)), key=lambda change: self.draw(f"change {change[0]}", 2**64))
        wanted = sorted(OUTCOMES, key=lambda outcome: self.draw(outcome, 2**64))
        first: dict[str, Change] = {}  # of each outcome
        for _, change in numbered[:MOST_CHANGES]:
            if outcome := self.outcome(change):
                first.setdefault(outcome, change)
            if wanted[0] in first:
                break
        # In place of an outcome that no change has, an error, which most changes have, is taken half as often.
        rest = sorted(wanted[1:], key=lambda outcome: outcome == ERROR and self.draw("late", 2))
        for outcome in (wanted[0], *rest):
            if outcome in first:
                return first[outcome], outcome
        raise LookupError("no line can be changed")

    def outcome(self, change: Change) -> str:
        """Return what the changed code gives on the same input; "" near an edge."""
        try:
            changed = self.probe.redefined(self.gap.name, self.thing, change.of(self.source)[-1])
            seen = self._run(changed, self.inputs)
        except KeyboardInterrupt:
            raise
        except ResultError:  # not a tensor
            return SHAPE
        except BaseException as error:  # also a student's exit()
            if getattr(getattr(error, "failure", None), "kind", "") == STOPPED:
                raise
            return ERROR
        if seen.shape != self.result.shape:
            return SHAPE
        rows = self._rows(seen)
        if rows is None:
            return ""
        return ALL if rows.all() else SOME if rows.any() else SAME

    def _rows(self, other: torch.Tensor) -> torch.Tensor | None:
        """Return which rows of another result differ from this one's; None where one is near an edge."""
        apart = (other - self.result).abs()
        apart = apart.reshape(*apart.shape[: self.gap.row.count(",") + 1], -1).amax(dim=-1)
        differ = (apart >= APART) | apart.isnan()
        return differ if bool((differ | (apart <= ALIKE)).all()) else None
