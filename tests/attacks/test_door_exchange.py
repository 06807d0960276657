"""The door of the exchange on the way back: the secrets by which students fetch feedback are files of students."""

import os
from pathlib import Path

import pytest
from nbgrader.utils import notebook_hash

from autograder.gradebook.release_feedback import SECRET
from autograder.intake.folder import secret_of
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader

from .corpus import LESSON

OWN, OTHERS = "5" * 128, "7" * 128


def file_of(content: str | bytes):
    return lambda path, other: path.write_bytes(content if isinstance(content, bytes) else content.encode())


FORGED = {
    "a path": file_of("../../inbound/x"),
    "an absolute path": file_of("/etc/passwd"),
    "a page's name": file_of("<script>evil()</script>"),
    "capitals": file_of("A" * 128),
    "too short": file_of("5" * 15),
    "without end": file_of("5" * 10**6),
    "several lines": file_of(f"{OWN}\n{OTHERS}"),
    "no text": file_of(b"\xff\x00" * 64),
    "nothing": file_of(""),
    "digits of another script": file_of("٥" * 128),
    "a link to another's": lambda path, other: path.symlink_to(other),
    "a link to itself": lambda path, other: path.symlink_to(path),
    "a pipe": lambda path, other: os.mkfifo(path),
    "a folder": lambda path, other: path.mkdir(),
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_secret_is_no_secret(tmp_path, forged):
    other = tmp_path / "other"
    other.write_text(OTHERS)
    FORGED[forged](tmp_path / SECRET, other)
    assert secret_of(tmp_path) == ""


def test_a_copied_secret_replaces_nobodys_page(tmp_path):
    """Who copies another's whole folder has the other's secret: neither page is released under it, both are named."""
    course, exchange = tmp_path / "course", tmp_path / "exchange"
    for folder in (course, exchange):
        folder.mkdir()
    exchange.chmod(0o777)
    configure(course)
    for student, secret in {"ada": OWN, "bob": OTHERS, "mallory": OTHERS}.items():
        folder = Path(course, "feedback", student, LESSON)
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.html").write_text(f"the page of {student}")
        (folder / SECRET).write_text(secret)
    done = nbgrader(course, "release_feedback", LESSON, f"--Exchange.root={exchange}")
    assert done.returncode == 0, done.stderr
    released = {path.name: path.read_text() for path in exchange.glob("*/feedback/*")}
    assert released == {f"{notebook_hash(secret=OWN, notebook_id=LESSON)}.html": "the page of ada"}
    assert "Not released: 'bob', 'mallory' have the same secret" in done.stderr
