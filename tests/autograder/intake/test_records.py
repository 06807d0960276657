"""What the name of a folder in the exchange tells, and whose folder it is."""

import os
import pwd
from datetime import datetime
from pathlib import Path

import pytest

from autograder.intake.exchange import WRITTEN_LAST, owner_of, record_of

TIME = datetime(2026, 11, 20)


def read(path: str) -> dict:
    """Read a folder's name as nbgrader does."""
    student, _, rest = os.path.basename(path).partition("+")
    if rest == "never":
        raise ValueError(rest)
    if rest == "too late":
        raise OverflowError(rest)
    return {"username": student, "timestamp": TIME, "filename": os.path.basename(path)}


@pytest.fixture
def folder(tmp_path):
    def make(name: str) -> str:
        (tmp_path / name).mkdir()
        return str(tmp_path / name)

    return make


def test_a_good_folder_has_student_and_time(folder):
    whole = folder("ada+time")
    for name in WRITTEN_LAST:
        Path(whole, name).write_text("x")
    assert record_of(whole, read) == {
        "username": "ada",
        "filename": "ada+time",
        "wrong": "",
        "timestamp": TIME,
    }


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("ada+never", "its name has no time"),
        ("ada+too late", "its name has no time"),
        ("+time", "its name is not a student's"),
        ("a[b]+time", "its name is not a student's"),
        (" ada+time", "its name is not a student's"),
        ("a\nb+time", "its name is not a student's"),
    ],
)
def test_a_folder_that_cannot_be_taken_counts_as_the_oldest_and_says_why(folder, name, wrong):
    found = record_of(folder(name), read)
    assert (found["wrong"], found["timestamp"], found["filename"]) == (wrong, datetime.min, name)
    assert found["username"] == name.partition("+")[0]


def test_a_file_and_a_link_are_no_folder(folder, tmp_path):
    (tmp_path / "bob+time").touch()
    (tmp_path / "eve+time").symlink_to(folder("ada+time"))
    for name in ("bob+time", "eve+time"):
        assert record_of(str(tmp_path / name), read)["wrong"] == "it is not a folder"


def test_a_folder_belongs_to_its_user_and_a_link_to_who_made_it(folder, monkeypatch):
    path = folder("ada+time")
    assert owner_of(path) == pwd.getpwuid(os.getuid()).pw_name

    def nobody(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert owner_of(path) == f"user {os.getuid()}"
