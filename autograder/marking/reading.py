"""Reads a class once, even if the page is requested while the server is reading the class in advance."""

import functools
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def one_at_a_time(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function, changed so that only one thread runs it at a time, and the others wait.

    For functions that keep their results: without the wait, two threads would compute the same result, each at half the
    speed; with it, the second thread gets the result of the first.
    """
    lock = threading.Lock()

    @functools.wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        with lock:
            return function(*args, **kwargs)

    return alone
