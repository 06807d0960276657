"""Progress bars as plain text on stdout, which JupyterLab, Colab, VS Code and a terminal all show.

Text, not widgets, because a notebook with a saved widget but without the widget's state cannot be rendered. If a
program runs the notebook, only the last state of a bar is printed: a page made from the notebook would show each state.
"""

import itertools
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from tqdm import tqdm

from utils.common import notebook
from utils.common.messages import N_, said

# The grader sets this environment variable while it runs a submission. Exams judge the student's functions, not the
# trained models, so a loop with a progress bar stops after `REHEARSAL_STEPS` steps.
REHEARSAL_VARIABLE = "ATTENTION_WORKBOOK_REHEARSAL"
REHEARSAL_STEPS = 2
PATIENCE = 2.0  # after so many seconds, a person wonders what is running


def rehearsing() -> bool:
    """Return whether a submission is being graded, so that training loops are cut short."""
    return bool(os.environ.get(REHEARSAL_VARIABLE))


def rehearsed(length: int) -> int:
    """Return the length of a text that a model writes: `length`, but in a rehearsal at most `REHEARSAL_STEPS`."""
    return min(length, REHEARSAL_STEPS) if rehearsing() else length


Item = TypeVar("Item")
Yielded = TypeVar("Yielded", covariant=True)


class Bar(Protocol[Yielded]):
    """A progress bar: a loop iterates over it."""

    def __iter__(self) -> Iterator[Yielded]:
        """Yield the steps, and draw the bar."""

    def set_postfix(self, *, refresh: bool = True, **values: str) -> None:
        """Show these values after the bar: at once, or, without `refresh`, when it is next drawn."""


class Translated(tqdm):  # type: ignore[misc]  # has no types
    """tqdm's bar, with values' names in the notebook's language; drawn only once if nobody watches."""

    def display(self, *args: Any, **options: Any) -> bool:
        """Draw the bar; return whether it is drawn. tqdm disables a bar before it draws it for the last time."""
        return (self.disable or notebook.is_watched()) and super().display(*args, **options)

    def set_postfix(self, *, refresh: bool = True, **values: str) -> None:
        super().set_postfix({said(name): value for name, value in values.items()}, refresh=refresh)


def progress(
    steps: Iterable[Item],
    description: str,
    *,
    total: int | None = None,
    unit: str = N_("step"),
    silent: bool = False,
    needed: bool = False,
) -> Bar[Item]:
    """Return a progress bar over `steps`, with translated words.

    unit: the name of one step. silent: draw nothing. needed: the loop's result is needed in grading, so the loop is not
    cut short; such loops are mostly short, so the bar appears only after `PATIENCE` seconds.
    """
    if rehearsing() and not needed:
        steps, total = itertools.islice(steps, REHEARSAL_STEPS), None
    bar: Bar[Item] = Translated(
        steps,
        desc=said(description),
        total=total,
        unit=said(unit),
        file=sys.stdout,
        mininterval=0.25,
        delay=PATIENCE if needed else 0,
        dynamic_ncols=True,
        disable=silent,
    )
    return bar
