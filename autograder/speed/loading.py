"""Loading torch and nbgrader without garbage collection; saves 1.2 of 4.2 CPU seconds of `grade` for one submission."""

import contextlib
import gc
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def quickly() -> Iterator[None]:
    """Import modules in this block without garbage collection, and exclude their objects from later collections.

    Nearly all objects that a module creates while it is loaded stay in use; otherwise Python would search them all for
    garbage again and again, and once more at the end. A block that loads nothing excludes nothing: the garbage of that
    moment would stay for ever, 4 MB for each student in a process that reads the configuration again and again.
    """
    enabled, known = gc.isenabled(), len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > known:
            gc.freeze()
        if enabled:
            gc.enable()
