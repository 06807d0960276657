"""A browser that is driven: Debian's chromium, by playwright; without them, the tests here are skipped."""

import importlib.util
import shutil
from collections.abc import Iterator

import pytest

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    if CHROMIUM is None or importlib.util.find_spec("playwright") is None:
        pytest.skip("needs chromium and playwright (pip install -e '.[browser]')")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()
