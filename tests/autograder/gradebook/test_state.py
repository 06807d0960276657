"""What counts as graded already: the same notebook, time, gradebook, course and way of running; nothing else."""

import errno
import os
from pathlib import Path

import pytest

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.gradebook import state
from autograder.gradebook.state import Done, only_one

LESSON = "attention"


@pytest.fixture
def path(tmp_path, monkeypatch) -> Path:
    """Ada's notebook in a course where it was graded."""
    path = tmp_path / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb"
    graded = tmp_path / "autograded" / "ada" / LESSON / f"{LESSON}.ipynb"
    log = tmp_path / ".grading" / "logs" / LESSON / "ada.json"
    for file in (path, graded, log, tmp_path / "gradebook.db"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
    done = Done(Course(tmp_path), LESSON)
    assert not done.is_unchanged("ada", path)
    done.note("ada", done.content(path))
    assert done.is_unchanged("ada", path)
    return path


def is_unchanged(path: Path, student: str = "ada") -> bool:
    return Done(Course(path.parents[3]), LESSON).is_unchanged(student, path)


def test_what_is_graded_is_noted_beside_the_course_s_other_files_of_grading(path):
    assert [file.name for file in path.parents[3].glob(f".grading/done/{LESSON}/*")] == ["ada"]


def test_what_was_noted_is_unchanged_in_the_next_run_and_of_this_student_alone(path):
    assert is_unchanged(path)
    assert not is_unchanged(path, "bob")


@pytest.mark.parametrize("name", [f"{LESSON}.ipynb", "timestamp.txt"])
def test_another_notebook_or_time_is_a_change(path, name):
    path.with_name(name).write_text("2026-11-20 13:45:10 UTC")
    assert not is_unchanged(path)


def test_a_long_time_is_read_as_far_as_it_is_looked_at(path):
    done = Done(Course(path.parents[3]), LESSON)
    found = []
    for length in (state.MAX_STAMP, state.MAX_STAMP + 1, state.MAX_STAMP + 2):
        path.with_name("timestamp.txt").write_text("2" * length)
        found.append(done.content(path))
    assert found[0] != found[1] == found[2]


def test_a_long_notebook_is_read_as_far_as_it_is_looked_at(path, monkeypatch):
    monkeypatch.setattr(state, "MAX_BYTES", 10)
    done = Done(Course(path.parents[3]), LESSON)
    found = []
    for length in (10, 11, 12):
        path.write_text("x" * length)
        found.append(done.content(path))
    assert found[0] != found[1] == found[2]


def test_a_linked_notebook_is_not_read(path):
    other = path.parents[2] / "eve" / LESSON
    other.parent.mkdir()
    other.symlink_to(path.parent)
    done = Done(Course(path.parents[3]), LESSON)
    before = done.content(other / path.name)
    path.write_text("other")
    assert done.content(other / path.name) == before != done.content(path)


def test_another_gradebook_knows_nothing_of_these_marks(path):
    kept = path.parents[3] / "gradebook.db"
    kept.rename(kept.with_suffix(".old"))
    assert not is_unchanged(path)
    kept.write_text("{}")
    assert not is_unchanged(path)
    os.replace(kept.with_suffix(".old"), kept)
    assert is_unchanged(path)


def test_another_course_text_is_a_change(path, monkeypatch):
    monkeypatch.setattr(state, "course_hash", lambda lesson, course: "other")
    assert not is_unchanged(path)


@pytest.mark.parametrize("gone", [f"autograded/ada/{LESSON}/{LESSON}.ipynb", f".grading/logs/{LESSON}/ada.json"])
def test_what_grading_wrote_must_be_there(path, gone):
    (path.parents[3] / gone).unlink()
    assert not is_unchanged(path)


def test_feedback_is_owed_from_the_first_note_on(path):
    done = Done(Course(path.parents[3]), LESSON)
    assert (path.parents[3] / ".grading" / "owed" / LESSON).read_text() == ""
    done.owed.write_text("kept")
    done.note("bob", "content")
    assert done.owed.read_text() == "kept"


def hold(course: Path) -> None:
    with only_one(Course(course)):
        pass


def test_one_grading_at_a_time_holds_the_courses_lock(tmp_path):
    with only_one(Course(tmp_path)):
        assert (tmp_path / ".grading" / "lock").is_file()
        with pytest.raises(GradingError, match=r"^Another grading of this course is running; wait for it"):
            hold(tmp_path)
    hold(tmp_path)  # given back


def test_a_course_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / ".grading").write_text("a file")
    with pytest.raises(GradingError, match=rf"^The folder {tmp_path}/\.grading cannot be written \(.*Nothing was"):
        hold(tmp_path)


def test_a_disk_that_cannot_lock_is_one_sentence(tmp_path, monkeypatch):
    def unlockable(*_args):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(state.fcntl, "flock", unlockable)
    with pytest.raises(GradingError, match=r"lock cannot be locked \(No locks available\); keep the course on a local"):
        hold(tmp_path)
