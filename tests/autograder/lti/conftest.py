"""A platform of each test's own, and no pauses between tries."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.helpers.platform import Platform


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
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, in place of making them."""
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made
