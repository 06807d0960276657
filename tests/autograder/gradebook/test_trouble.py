"""Full disks, read-only folders, locked and damaged gradebooks: one sentence, and the same command goes on."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.converters import GenerateFeedback

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.gradebook import books, converters, grade, restore
from autograder.gradebook.no_page import write_no_page
from autograder.gradebook.release_feedback import SECRET
from autograder.gradebook.state import Done
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.sandbox.bubblewrap import bubblewrap
from tests.helpers.courses import configure

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
STUDENTS = ["ada", "blaise"]
# Bytes of room: for a gradebook without students; for all but feedback.
ROOMS = [300_000, 500_000]


@pytest.fixture(scope="module")
def graded(tmp_path_factory, store) -> Path:
    course = tmp_path_factory.mktemp("graded")
    for student in STUDENTS:
        hand_in(compose(ATTENTION, blank=student == "blaise"), Course(course), student, LESSON)
    grade.grade(LESSON, course=Course(course))
    converters.feedback(Course(course), LESSON)
    return course


@pytest.fixture
def course(graded, tmp_path) -> Path:
    """A copy of the graded class."""
    course = Path(shutil.copytree(graded, tmp_path / "course"))
    grade.grade(LESSON, course=Course(course))  # a copy's gradebook is another one
    return course


def under(*mounts: str, command: list[str]) -> subprocess.CompletedProcess:
    """Run Python where bubblewrap has mounted something else."""
    rights = ["--cap-add", "ALL"] if os.getuid() == 0 else []
    return subprocess.run(
        [bubblewrap(), *rights, "--dev-bind", "/", "/", *mounts, sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def one_sentence(text: str) -> str:
    assert "Traceback" not in text
    (line,) = [line for line in text.splitlines() if line.startswith("Error: ")]
    return line


def test_a_full_disk_loses_nothing(graded, tmp_path):
    rooms = [str(room) for room in ROOMS]
    command = ["tests/helpers/full_disk.py", str(tmp_path), str(graded / "submitted"), *rooms]
    done = under("--size", "4000000", "--tmpfs", str(tmp_path), command=command)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    for result in results:
        assert (result["again"], result["pages"]) == (0, STUDENTS)
        assert result["marks"] == books.marks(Course(graded), LESSON)
        assert result["code"] == 1
        assert "make room, then run the same command again" in one_sentence(result["text"])


@pytest.mark.parametrize("what", ["", "gradebook.db", "autograded", "feedback"])
def test_what_is_read_only_loses_nothing(course, what):
    expected = books.marks(Course(course), LESSON)
    for number, student in enumerate(STUDENTS):
        hand_in(compose(ATTENTION, blank=number == 0), Course(course), student, LESSON)
    path = str(course / what)
    done = under("--ro-bind", path, path, command=["-m", "autograder", "grade", LESSON, "--course", str(course)])
    assert done.returncode == 1
    assert "make it writable, then run the same command again" in one_sentence(done.stderr).lower()
    if what != "feedback":
        assert books.marks(Course(course), LESSON) == expected
    grade.grade(LESSON, course=Course(course))
    marks = books.marks(Course(course), LESSON)
    assert (marks["ada"], marks["blaise"]) == (expected["blaise"], expected["ada"])


def test_nbgraders_own_command_goes_on_too(course):
    configure(course)
    expected = books.marks(Course(course), LESSON)
    logs = str(course / ".grading" / "logs")
    command = ["-m", "nbgrader", "autograde", LESSON]
    done = under("--ro-bind", logs, logs, "--chdir", str(course), command=[*command, "--force"])
    assert done.returncode == 1
    assert done.stderr.count("OSError: [Errno 30] Read-only file system") == len(STUDENTS)
    assert books.marks(Course(course), LESSON) == expected
    assert under("--chdir", str(course), command=command).returncode == 0
    assert books.marks(Course(course), LESSON) == expected
    assert sorted(path.name for path in (course / "autograded").iterdir()) == STUDENTS


def test_a_locked_gradebook_loses_nothing(course):
    expected = books.marks(Course(course), LESSON)
    hand_in(compose(ATTENTION), Course(course), "blaise", LESSON)
    other = sqlite3.connect(course / "gradebook.db")
    other.execute("begin exclusive")
    with pytest.raises(GradingError, match=r"database is locked.*close other programs.*nothing is lost"):
        grade.grade(LESSON, course=Course(course))
    other.close()
    assert books.marks(Course(course), LESSON) == expected
    assert grade.grade(LESSON, course=Course(course)).graded == ["blaise"]
    assert books.marks(Course(course), LESSON)["blaise"] == expected["ada"]


def test_a_damaged_gradebook_is_one_sentence(course):
    expected = books.marks(Course(course), LESSON)
    kept = course / "gradebook.db"
    kept.write_bytes(b"x" * 10_000)
    for command in (
        lambda: grade.grade(LESSON, course=Course(course), force=True),
        lambda: books.marks(Course(course), LESSON),
    ):
        with pytest.raises(GradingError, match=r"damaged \(file is not a database\).*put its last copy and all later"):
            command()
    assert list(restore.restore(Course(course)))
    assert books.marks(Course(course), LESSON) == expected
    assert grade.grade(LESSON, course=Course(course)).graded == []


def test_looking_for_marks_makes_no_gradebook(tmp_path):
    assert books.marks(Course(tmp_path), LESSON) == {}
    assert list(tmp_path.iterdir()) == []


def test_a_broken_configuration_is_one_sentence(course):
    (course / "nbgrader_config.py").write_text("c = get_config(\n")
    with pytest.raises(GradingError, match=r"nbgrader_config.py cannot be loaded \(SyntaxError"):
        grade.grade(LESSON, course=Course(course), force=True)


def test_feedback_that_was_not_written_is_still_owed(course):
    page = course / "feedback" / "ada" / LESSON / f"{LESSON}.html"
    page.unlink()
    grade.grade(LESSON, course=Course(course), force=True)  # and is killed here
    command = ["-m", "autograder", "grade", LESSON, "--course", str(course)]
    assert under(command=command).returncode == 0
    assert page.is_file()
    assert "unchanged" in under(command=command).stdout


def test_a_page_that_cannot_be_made_costs_nobody_else_theirs(course, monkeypatch):
    """The page that is missing is made by the next run."""
    usual = converters.convert

    def convert(kind, config, lesson_name, student):
        if kind is GenerateFeedback and student == "ada":
            raise IndexError("her markdown\nis odd")
        usual(kind, config, lesson_name, student)

    owed = Done(Course(course), LESSON).owed
    owed.touch()
    monkeypatch.setattr(converters, "convert", convert)
    assert converters.feedback(Course(course), LESSON, force=True) == (["blaise"], {"ada": "her markdown is odd"})
    assert owed.exists()
    page = course / "feedback" / "ada" / LESSON / f"{LESSON}.html"
    assert "this page could not be made" in page.read_text()
    monkeypatch.undo()
    assert converters.feedback(Course(course), LESSON, force=True) == (["ada", "blaise"], {}) and not owed.exists()
    assert "this page could not be made" not in page.read_text()


@pytest.mark.parametrize(
    ("notebook", "begins"),
    [
        ('{"metadata": {"workbook": {"language": "fr"}}}', "Votre notebook"),
        ('{"metadata": {"workbook": {"language": "zh"}}}', "你的笔记本"),
        ('{"metadata": {"workbook": {"language": "fr"', "Your notebook"),
        ('["no notebook"]', "Your notebook"),
    ],
)
def test_the_sentence_in_place_of_a_page_is_in_the_students_language(tmp_path, notebook, begins):
    graded = tmp_path / "graded.ipynb"
    graded.write_text(notebook)
    graded.with_name(SECRET).write_text("secret")
    write_no_page(graded, tmp_path / "feedback", LESSON, "en")
    text = (tmp_path / "feedback" / f"{LESSON}.html").read_text(encoding="utf-8")
    assert f"<body><p>{begins}" in text
    assert (tmp_path / "feedback" / SECRET).read_text() == "secret"


def test_reasons_that_were_not_written_are_written_again(course):
    log = course / ".grading" / "logs" / LESSON / "ada.json"
    log.unlink()
    assert grade.grade(LESSON, course=Course(course)).graded == ["ada"]
    assert log.is_file()
