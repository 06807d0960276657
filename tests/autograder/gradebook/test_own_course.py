"""A course's own lessons on a cluster: which files travel, and the process that examines with them."""

import shutil
import tempfile

import pytest

from autograder.common.errors import BuildError, GradingError
from autograder.common.paths import ROOT
from autograder.common.settings import COURSE_FOLDER
from autograder.examine.hashes import course_hash
from autograder.gradebook import own_course
from autograder.gradebook.own_course import examine_with, files_for


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    """The lessons of this process' course: one of its own, and a question more for a lesson of the workbook."""
    monkeypatch.setenv(COURSE_FOLDER, str(tmp_path))
    return shutil.copytree(ROOT / "docs" / "lessons", tmp_path / "lessons")


def test_nothing_travels_for_a_lesson_of_the_workbook_alone(lessons):
    assert files_for("seq2seq") == {}
    assert {"attention/exam.py", "clusters/check.py", "clusters/fr.po"} <= files_for("clusters").keys()
    assert files_for("attention") == files_for("clusters")


def test_a_picture_beside_a_lesson_is_one_of_its_files(lessons):
    before = course_hash("clusters")
    (lessons / "clusters" / "figure.png").write_bytes(b"\x89PNG\xff")
    assert course_hash("clusters") != before
    assert files_for("clusters")["clusters/figure.png"] == b"\x89PNG\xff"


def test_files_that_are_too_large_to_travel_are_one_sentence(lessons):
    (lessons / "clusters" / "figure.png").write_bytes(b"\xff" * own_course.MOST_BYTES)
    with pytest.raises(GradingError, match=r"have 1,0\d\d,\d\d\d bytes, and go to a cluster .* only up to 1,048,576"):
        files_for("attention")


def test_a_process_with_the_files_examines_and_its_folder_goes_with_it(tmp_path, monkeypatch):
    """Here with a lesson that cannot be examined: the sentence comes back, and the process stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(BuildError, match="lessons/clusters cannot be used yet"):
        examine_with({"clusters/lesson.py": b"1 /"}, "{}", "clusters", set(), 0)
    [folder] = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "lessons" / "clusters" / "lesson.py").read_text() == "1 /"
    own_course._running.popitem()[1].close()
    assert not list(tmp_path.iterdir())


class Fake:
    """A process that examines nothing, or ends."""

    def __init__(self, files):
        self.ended, self.closed = files == {"a": b"ended"}, False

    def answer(self, text, *others):
        if self.ended:
            raise EOFError
        return {"key": text}

    def close(self):
        self.closed = True


def test_the_same_files_have_one_process_and_other_files_another(monkeypatch):
    started: list[Fake] = []
    monkeypatch.setattr(own_course, "Examiner", lambda files: started.append(Fake(files)) or started[-1])
    monkeypatch.setattr(own_course, "_running", {})
    for number, content in enumerate((b"one", b"one", b"two")):
        assert examine_with({"a": content}, str(number), "a", set(), 0) == {"key": str(number)}
    assert [one.closed for one in started] == [True, False]
    for _ in range(2):  # a process that ended is replaced at the next call
        with pytest.raises(EOFError):
            examine_with({"a": b"ended"}, "", "a", set(), 0)
    assert [one.closed for one in started] == [True] * 4
