"""A platform of each test's own, no pauses between tries, and keys that are checked once."""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization

from tests.helpers.learning_platform import Platform

load_once = cache(serialization.load_pem_private_key)  # reading a key checks it, which takes 60 ms


@pytest.fixture
def platform() -> Iterator[Callable[..., Platform]]:
    """Return a function that starts a platform; all are stopped at the test's end."""
    started: list[Platform] = []

    def start(*asked: Any, **named: Any) -> Platform:
        started.append(Platform(*asked, **named))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture(autouse=True)
def keys_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serialization, "load_pem_private_key", load_once)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, in place of making them."""
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made
