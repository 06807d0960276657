"""Reading a class once, also when a page is requested while the server is reading ahead."""

import functools
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def one_at_a_time(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function of which one call runs at a time; other threads wait for it, then call.

    For functions that keep their results: a second thread would compute the same at half the speed; after the wait it
    finds the result of the first.
    """
    lock = threading.Lock()

    @functools.wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        with lock:
            return function(*args, **kwargs)

    return alone
