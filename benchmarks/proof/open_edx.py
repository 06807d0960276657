"""Open edX's own package as the platform: connected, roster and marks by LTI, while the sender is killed.

The package and the 50 that it needs are not among the packages of the tests: `make open-edx` makes an environment for
them, see tests/helpers/open_edx.py. What counts is the LMS's gradebook, because Open edX answers 201 to marks that
never arrive there.
"""

import contextlib
import html
import json
import multiprocessing
import random
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests

from autograder.common.course import Course
from autograder.common.paths import ROOT
from autograder.lti import launch
from autograder.lti.service import Key
from autograder.lti.settings import NAME

PYTHON = ROOT / ".venv-open-edx" / "bin" / "python"
SCRIPT = ROOT / "tests" / "helpers" / "open_edx.py"
FORKS = multiprocessing.get_context("fork")
LESSON = "attention"


@dataclass
class OpenEdx:
    """A course on Open edX, connected with a course of ours by the link of one lesson."""

    url: str
    course: Course

    def book(self) -> tuple[int, dict[str, float]]:
        """Return the number of columns, and the LMS's gradebook: student -> share of the maximum."""
        shown = requests.get(f"{self.url}/book", timeout=60).json()
        return shown["columns"], shown["book"]

    def click(self, door: str) -> None:
        """Open the link as a teacher's browser does."""
        browser = requests.Session()
        first = browser.get(f"{self.url}/link", allow_redirects=False, timeout=60).headers["Location"]
        second = browser.get(first, allow_redirects=False, timeout=60)
        page = browser.get(second.headers["Location"], timeout=60).text
        form = {name: html.unescape(text) for name, text in re.findall(r'name="([^"]+)"\s+value="([^"]*)"', page)}
        cookie = second.headers["Set-Cookie"].partition(";")[
            0
        ]  # a browser sends it to localhost, although it is Secure
        assert browser.post(f"{door}/launch", form, headers={"Cookie": cookie}, timeout=60).status_code == 200


@contextlib.contextmanager
def served(course: Course, students: int) -> Iterator[OpenEdx]:
    """Yield Open edX with so many students, and the course connected with it as `workbook connect attention` does."""
    port, door = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [str(PYTHON), str(SCRIPT), folder, str(students), str(port), f"http://localhost:{door}"]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert server.stdin and server.stdout
        try:
            server.stdin.write(Key(course).pem.replace("\n", "\\n") + "\n")
            server.stdin.flush()
            registration = json.loads(server.stdout.readline())
            (course / NAME).write_text("".join(f'{name} = "{text}"\n' for name, text in registration.items()))
            edx = OpenEdx(registration["issuer"], course)
            opened = threading.Event()
            told = {"port": door}
            waiting = threading.Thread(
                target=launch.connect, args=(course, LESSON, lambda _: opened.set()), kwargs=told, daemon=True
            )
            waiting.start()
            opened.wait(60)
            edx.click(f"http://localhost:{door}")
            waiting.join(60)
            yield edx
        finally:
            server.kill()
            server.communicate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _send(folder: Path, points: dict[str, float]) -> None:
    from tests.helpers.platform_class import send

    send(Course(folder), points)


def play(students: int, kills: int, seed: int) -> Iterator[str]:
    """Send the marks of a class while the sender is killed; yield what is wrong in the end.

    Each kill comes when the LMS's gradebook has a number of marks that is drawn, so that it meets a running sender.
    """
    from tests.helpers.platform_class import MOST, take_roster

    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, served(Course(Path(folder)), students) as edx:
        take_roster(edx.course)
        points = {f"s{number:03}": number % 41 for number in range(students)}
        for many in sorted(rng.sample(range(1, students), kills)):
            sender: Any = FORKS.Process(target=_send, args=(Path(folder), points))
            sender.start()
            while len(edx.book()[1]) < many and sender.is_alive():
                time.sleep(0.1)
            if not sender.is_alive():
                yield f"the sender had ended before the book had {many} marks"
            sender.kill()
            sender.join()
        sender = FORKS.Process(target=_send, args=(Path(folder), points))
        sender.start()
        sender.join()
        if sender.exitcode:
            yield f"the last sender ended with {sender.exitcode}"
        columns, book = edx.book()
        if columns != 1:
            yield f"{columns} columns"
        wanted = {f"ext-{number:04}": number % 41 / MOST for number in range(students)}
        wrong = [name for name, share in wanted.items() if abs(book.get(name, -1.0) - share) > 1e-9]
        if wrong or len(book) != students:
            yield f"{len(wrong)} of {students} marks are not in the book: {', '.join(wrong[:5])}"
