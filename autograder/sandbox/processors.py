"""Keeping a session and its grader on one processor.

They wait for each other some hundred times a submission, each time for less than a millisecond, and never work at once.
To wake another processor costs both of them more than what is asked: a tenth of an examination, and of the time that it
takes. On one that others use as well they would wait for these, while others stand idle: then they try another. Several
workers, who would be each other's crowd, are left to the kernel.
"""

import contextlib
import functools
import os
import secrets
import time
from multiprocessing import parent_process

from autograder.sandbox.processes import waited_seconds

# The part of a session's time for which the grader may have waited for the processor. Both ends of a session take a
# tenth from each other, one more program a third.
MOST_WAITING = 0.2


class Place:
    """The processor that a sandbox' sessions share with their grader, while it is all theirs."""

    def __init__(self) -> None:
        self.processor: int | None = None  # where None, the kernel puts each of them where it likes
        self._taken = 0.0, 0.0

    def take(self) -> None:
        """Go to the processor of the session before, or to any, for a session."""
        if self.processor is None and len(_allowed()) > 1 and parent_process() is None:
            self.processor = secrets.choice(sorted(_allowed()))
        self.stay()
        self._taken = _waited_and_passed()

    def leave(self) -> None:
        """Go where the kernel likes, and not there again if there was a crowd."""
        self.roam()
        waited, passed = (now - before for now, before in zip(_waited_and_passed(), self._taken, strict=True))
        if waited > MOST_WAITING * passed:
            self.processor = None

    def stay(self) -> None:
        """Keep this thread on the processor. What the kernel forbids is left."""
        if self.processor is not None:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, {self.processor})

    def roam(self) -> None:
        """Let the kernel put this thread where it likes: where somebody is at work for long, little is left for us."""
        if self.processor is not None:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, _allowed())


def _waited_and_passed() -> tuple[float, float]:
    return waited_seconds("thread-self"), time.monotonic()


@functools.cache
def _allowed() -> set[int]:
    return os.sched_getaffinity(0)  # asked before any of them is taken
