"""A browser that is driven: Debian's chromium, by playwright; without them, the tests here are skipped.

`chromium-headless-shell`, which has no windows, opens a page for a fifth of the CPU time that `chromium` takes.
"""

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    if CHROMIUM is None or importlib.util.find_spec("playwright") is None:
        pytest.skip("needs chromium and playwright (pip install -e '.[browser]')")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Write pages, each once, and return their addresses."""
    folder = tmp_path_factory.mktemp("pages")

    def written(name: str, text: str) -> str:
        path = folder / f"{name}.html"
        path.write_text(text, encoding="utf-8")
        return path.as_uri()

    return written


@contextlib.contextmanager
def jupyter_in(course: Path, *options: str, **variables: str) -> Iterator[str]:
    """Run a Jupyter server of our own that stands in a course; yield its address, without a slash at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--ServerApp.password=", "--ip=127.0.0.1", *options]
    environment = os.environ | {"JUPYTER_CONFIG_DIR": str(course / "no-configuration"), "OMP_NUM_THREADS": "1"}
    address = f"http://127.0.0.1:{port}"
    with (course.parent / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=course, env=environment | variables, stdout=log, stderr=log)
        for _ in range(600):
            try:
                urllib.request.urlopen(address, timeout=5).close()
                break
            except urllib.error.HTTPError:
                break  # it answers
            except OSError:
                assert server.poll() is None, (course.parent / "server.log").read_text()
                time.sleep(0.2)
        yield address
        server.terminate()
        server.wait(timeout=30)
