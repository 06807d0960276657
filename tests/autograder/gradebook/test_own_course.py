"""A course's own lessons on a cluster: which files travel, and the process that examines with them."""

import shutil
import tempfile

import pytest

from autograder.common.course import Course
from autograder.common.errors import BuildError, GradingError
from autograder.common.paths import ROOT
from autograder.examine.hashes import course_hash
from autograder.gradebook import own_course
from autograder.gradebook.own_course import examine_with, files_for
from autograder.lesson.text import Lesson


@pytest.fixture
def course(tmp_path, monkeypatch) -> Course:
    """A course with a lesson of its own, and a question more for a lesson of the workbook."""
    monkeypatch.setattr(Course, "add_modules", lambda self: None)  # this process keeps the workbook's modules
    return Course(shutil.copytree(ROOT / "docs" / "course", tmp_path / "term"))


def files_of(course: Course, lesson: str) -> own_course.Files:
    return files_for(Lesson.load(lesson, course))


def test_nothing_travels_for_a_lesson_of_the_workbook_alone(course):
    assert files_of(course, "seq2seq") == {}
    files = files_of(course, "clusters")
    assert {"source/attention/exam.py", "utils/clusters/check.py", "source/clusters/fr.po"} <= files.keys()
    assert files_of(course, "attention") == files


def test_a_picture_beside_a_lesson_is_one_of_its_files(course):
    before = course_hash("clusters", course)
    (course / "source/clusters/figure.png").write_bytes(b"\x89PNG\xff")
    assert course_hash("clusters", course) != before
    assert files_of(course, "clusters")["source/clusters/figure.png"] == b"\x89PNG\xff"


def test_files_that_are_too_large_to_travel_are_one_sentence(course):
    (course / "utils/clusters/figure.png").write_bytes(b"\xff" * own_course.MOST_BYTES)
    with pytest.raises(
        GradingError, match=r"have 1,0\d\d,\d\d\d bytes, but at most 1,048,576 can be sent to a cluster"
    ):
        files_of(course, "attention")


@pytest.mark.whole
def test_a_process_with_the_files_examines_and_its_folder_goes_with_it(tmp_path, monkeypatch):
    """Here with a lesson that cannot be examined: the sentence comes back, and the process stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(BuildError, match="source/clusters cannot be used yet"):
        examine_with({"source/clusters/lesson.py": b"1 /"}, "{}", "clusters", ROOT, set(), 0)
    [folder] = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "source" / "clusters" / "lesson.py").read_text() == "1 /"
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
        assert examine_with({"a": content}, str(number), "a", ROOT, set(), 0) == {"key": str(number)}
    assert [one.closed for one in started] == [True, False]
    for _ in range(2):  # a process that ended is replaced at the next call
        with pytest.raises(EOFError):
            examine_with({"a": b"ended"}, "", "a", ROOT, set(), 0)
    assert [one.closed for one in started] == [True] * 4
