"""The marking page without a browser: one process of node for all its tests."""

from collections.abc import Iterator

import pytest

from tests.helpers.marking_page import MarkingPage, needed


@pytest.fixture(scope="session")
def page() -> Iterator[MarkingPage]:
    needed()
    started = MarkingPage()
    yield started
    started.close()
