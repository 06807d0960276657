"""Progress bars, plain text on stdout: they show in JupyterLab, Colab, VS Code and a terminal alike.

Text, not widgets: a saved widget without its state makes a notebook that cannot be rendered.
"""

import itertools
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from tqdm import tqdm

from utils.common.messages import N_, said

# Set while a submission is graded: what training teaches is examined through the student's code, so
# every progress loop stops after this many steps instead of training for real.
REHEARSAL_VARIABLE = "ATTENTION_WORKBOOK_REHEARSAL"
REHEARSAL_STEPS = 2
PATIENCE = 2.0  # seconds that one waits without asking what is running


def rehearsing() -> bool:
    """True while a submission is graded and training loops are cut short."""
    return bool(os.environ.get(REHEARSAL_VARIABLE))


Item = TypeVar("Item")
Yielded = TypeVar("Yielded", covariant=True)


class Bar(Protocol[Yielded]):
    """A progress bar that is iterated over."""

    def __iter__(self) -> Iterator[Yielded]:
        """Yield the steps, and draw."""

    def set_postfix(self, *, refresh: bool = True, **values: str) -> None:
        """Show these values behind the bar: at once, or when it is next drawn."""


class Translated(tqdm):  # type: ignore[misc]  # has no types
    """tqdm's bar, whose values stand behind names in the notebook's language."""

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
    """Return a progress bar that yields from `steps`; a silent one draws nothing. Its words are translated.

    A loop whose result is `needed` is not cut short while grading, and is mostly short: its bar waits for 2 seconds.
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
