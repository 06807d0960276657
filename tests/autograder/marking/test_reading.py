"""What two threads ask for at the same time is read once."""

import functools
import time
from concurrent.futures import ThreadPoolExecutor

from autograder.marking.reading import one_at_a_time


def test_what_two_threads_ask_for_is_read_once():
    reads = []

    @one_at_a_time
    @functools.cache
    def read(name: str) -> str:
        reads.append(name)
        time.sleep(0.05)  # long enough for the other thread to come
        return name.upper()

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(read, ["class", "class"])) == ["CLASS", "CLASS"]
    assert reads == ["class"]


def test_an_error_leaves_the_next_call_free():
    @one_at_a_time
    def read(number: int) -> float:
        return 1 / number

    with ThreadPoolExecutor(1) as threads:
        assert isinstance(threads.submit(read, 0).exception(), ZeroDivisionError)
        assert threads.submit(read, 2).result(timeout=10) == 0.5
