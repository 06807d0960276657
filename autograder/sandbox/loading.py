"""Loading what a command needs, torch and nbgrader above all: half of what it costs to grade one submission."""

import contextlib
import gc
import os
from collections.abc import Iterator

from autograder.common import compat
from autograder.sandbox.bubblewrap import ONE_THREAD
from autograder.sandbox.inside import light_torch


@contextlib.contextmanager
def quickly() -> Iterator[None]:
    """Load modules in here: what no command of ours needs is left out or put off, and they are no garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        with _one_thread(), compat.without_extras(), light_torch.loaded_quickly():
            yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Keep numpy's library from starting a thread for each core, which would wait for work with all its might.

    For who is started later, a server's kernel or a student's, the variables are as they were.
    """
    given = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in given.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
