"""Why a test has no result, as plain data: what the student's code raised, or how the grader ended it."""

import re
from dataclasses import dataclass

# Parts of an exception's text that differ from run to run: memory addresses, names of cells, a tensor type's precision.
VARYING = re.compile(r"0x[0-9a-f]+|<[^>]*>|(Float|Double)(?=Tensor)")
# `question.failure_of` cuts a text off at 300 letters, its varying parts included: only so many letters are compared.
COMPARED = 280
# Kinds of failures besides the student's exceptions: the grader stopped the test; the answer returned None; the cell
# that should define the student's object raised the exception that `Failure.text` quotes.
NEEDS_PYTHON = "needs Python"  # in the text of `CELL_FAILED`, before the version that could have read the cell
STOPPED, NOTHING_RETURNED, CELL_FAILED = "Stopped", "NothingReturned", "CellFailed"


@dataclass(frozen=True)
class Failure:
    """Why a test has no result: `kind` is an exception's class or one of the kinds above, `where` the cell's line."""

    kind: str
    text: str
    where: str = ""

    @property
    def told(self) -> str:
        """The failure in words for an author."""
        return f"{self.kind}: {self.text.rstrip('.')}" + (f", in the line “{self.where}”" if self.where else "")

    def same_as(self, other: "Failure") -> bool:
        """Return whether two failures have the same kind, and the same text except for the parts in `VARYING`."""
        mine, theirs = (VARYING.sub("", failure.text)[:COMPARED] for failure in (self, other))
        return self.kind == other.kind and mine == theirs
