"""Files are written whole or not at all; what is asked first loads nothing heavy."""

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT, write_whole


def test_text_and_bytes_arrive_in_folders_yet_to_be_made(tmp_path):
    write_whole(tmp_path / "a" / "text", "é")
    write_whole(tmp_path / "a" / "bytes", b"\xff")
    assert (tmp_path / "a" / "text").read_bytes() == "é".encode()
    assert (tmp_path / "a" / "bytes").read_bytes() == b"\xff"


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path):
    write_whole(tmp_path / ("x" * 255), "there")
    assert (tmp_path / ("x" * 255)).read_text() == "there"


def test_two_threads_write_two_files_of_a_folder_at_once(tmp_path, monkeypatch):
    """As the marking server does, whose requests are answered in threads."""
    both = Barrier(2, timeout=30)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: both.wait())  # each draft is written, none is renamed
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda name: write_whole(tmp_path / name, name), ("ada", "bob")))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"ada": "ada", "bob": "bob"}


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    def full(*_args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write_whole(tmp_path / "marks", "old")
    with monkeypatch.context() as patched:
        patched.setattr(os, step, full)
        with pytest.raises(OSError, match="No space left"):
            write_whole(tmp_path / "marks", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["marks"]
    assert (tmp_path / "marks").read_text() == "old"


def test_a_run_with_nothing_to_do_loads_nothing_heavy():
    """Looking for what is new or changed must be quick: these modules do it, before anything else is loaded."""
    modules = "autograder.__main__, autograder.gradebook.grade, autograder.gradebook.state, autograder.intake.folder"
    heavy = ("torch", "numpy", "nbformat", "nbgrader", "jupytext", "IPython")
    assert printed(f"import sys, {modules}\nprint([name for name in {heavy} if name in sys.modules])") == "[]"


def test_what_draws_loads_matplotlib_when_it_draws():
    """The grader imports what the lessons do, and draws nothing."""
    subjects = tuple(WORKBOOK.lessons)
    modules = ", ".join(f"utils.{subject}.{name}" for subject in subjects for name in ("plots", "explorer"))
    assert printed(f"import sys, {modules}\nprint('matplotlib' in sys.modules)") == "False"


def printed(code: str) -> str:
    """What a Python of its own prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
