"""The gradebook's copies: made when it has changed, kept in number, and asked for when the gradebook is gone."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError, SandboxError
from autograder.gradebook import books, converters, copies
from autograder.gradebook.state import Done
from autograder.gradebook.summary import RunSummary, no_progress
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader

LESSON = "attention"


def write(course: Path, number: int) -> None:
    """Change the gradebook, and make it newer than its copies."""
    path = course / "gradebook.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table if not exists marks (number)")
        database.execute("delete from marks")
        database.execute("insert into marks values (?)", (number,))
    newest = max((one.stat().st_mtime for one in copies.copies(Course(course))), default=0.0)
    os.utime(path, (newest + 10, newest + 10))


def read(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute("select number from marks").fetchone()[0])


def test_the_last_states_are_kept_and_an_unchanged_gradebook_is_not_copied_again(tmp_path):
    assert copies.keep_copy(Course(tmp_path)) is None
    for number in range(copies.LATEST + 3):
        write(tmp_path, number)
        assert copies.keep_copy(Course(tmp_path)) is not None
        assert copies.keep_copy(Course(tmp_path)) is None
    assert [read(path) for path in copies.copies(Course(tmp_path))] == list(range(copies.LATEST + 2, 2, -1))


def test_a_lost_or_emptied_gradebook_is_not_replaced_in_silence(tmp_path):
    copies.refuse_to_replace(Course(tmp_path), tmp_path / "gradebook.db")  # of a new course there is none
    write(tmp_path, 7)
    copies.keep_copy(Course(tmp_path))
    copies.refuse_to_replace(Course(tmp_path), tmp_path / "gradebook.db")
    for lose in (Path.unlink, Path.touch):  # gone, or an empty file
        lose(tmp_path / "gradebook.db")
        with pytest.raises(GradingError, match="lack due dates and all that was graded by hand; to put it back, type:"):
            copies.refuse_to_replace(Course(tmp_path), tmp_path / "gradebook.db")


def test_a_computer_without_a_sandbox_stops_at_the_first_student_and_leaves_no_zero(tmp_path, monkeypatch):
    lesson = Lesson.load(LESSON, Course(tmp_path))
    configure(tmp_path)
    wanted = {name: hand_in(compose(lesson), Course(tmp_path), name, LESSON) for name in ("ada", "bob")}
    tried = []

    def examine(*_args: object) -> None:
        tried.append(1)
        raise SandboxError("The sandbox could not be started (No module named 'torch').")

    monkeypatch.setattr("autograder.sandbox.parent.shared_sandbox", examine)
    with pytest.raises(SandboxError, match="No module named 'torch'"):
        converters.write(Course(tmp_path), lesson, wanted, Done(Course(tmp_path), LESSON), RunSummary(), no_progress)
    assert len(tried) == 1 and books.standings(Course(tmp_path), LESSON) == {}


def test_nbgraders_own_command_does_not_replace_it_either(tmp_path):
    configure(tmp_path)
    hand_in(compose(Lesson.load(LESSON, WORKBOOK), blank=True), Course(tmp_path), "ada", LESSON)
    write(tmp_path, 7)
    copies.keep_copy(Course(tmp_path))
    (tmp_path / "gradebook.db").unlink()
    done = nbgrader(tmp_path, "autograde", LESSON)
    assert done.returncode != 0 and "The gradebook is gone" in done.stderr
    assert not (tmp_path / "gradebook.db").exists()
