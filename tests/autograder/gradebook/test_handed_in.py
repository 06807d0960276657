"""Whatever lies in students' folders stops nobody, leads nowhere, and gets a sentence."""

import json
import os
import shutil
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from rich.console import Console

from autograder.common.course import WORKBOOK, Course
from autograder.gradebook import books, converters, grade
from autograder.gradebook.configuration import configuration
from autograder.gradebook.summary import RunSummary
from autograder.intake.folder import submitted_at, wrong_name
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.reports import after_grading, terminal
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
NOTEBOOK = f"{LESSON}.ipynb"
STAMPS = {
    "garbage": lambda path: path.write_text("soon"),
    "huge": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 2**40),
    "not_text": lambda path: path.write_bytes(b"\xff\xfe2026"),
    "folder": lambda path: path.mkdir(),
    "link": lambda path: path.symlink_to("/etc/hostname"),
    "loop": lambda path: path.symlink_to(path.name),
    "year_1": lambda path: path.write_text("0001-01-01 00:00:00 UTC"),
    "year_9999": lambda path: path.write_text("9999-12-31 23:59:59 +2400"),
    "no_date": lambda path: path.write_text("10"),
    "pipe": lambda path: os.mkfifo(path),
}
# What nbgrader finds in a folder where the notebook should be, and what is said of it.
REFUSED = {
    "link_to_another": (lambda path: path.symlink_to("../../honest/attention/attention.ipynb"), "a link"),
    "link_to_a_file": (lambda path: path.symlink_to("/etc/passwd"), "a link"),
    "link_to_itself": (lambda path: path.symlink_to(path.name), "a link"),
    "link_to_nothing": (lambda path: path.symlink_to("nowhere"), "a link"),
    "a_folder": (lambda path: path.mkdir(), "not a file"),
    "a_pipe": (lambda path: os.mkfifo(path), "not a file"),
}
# What nbgrader finds no notebook in.
MISSING = {
    "renamed": (lambda folder: hand_in_as(folder / "attention (1).ipynb"), "but 'attention (1).ipynb'; rename"),
    "copied": (lambda folder: hand_in_as(folder / "attention-copy.ipynb"), "but 'attention-copy.ipynb'; rename"),
    "empty": (lambda folder: folder.mkdir(parents=True), "There is no attention.ipynb"),
    "a_file": (lambda folder: (folder.parent.mkdir(), folder.write_text("x")), "There is no attention.ipynb"),
    "a_loop": (lambda folder: (folder.parent.mkdir(), folder.symlink_to(LESSON)), "There is no attention.ipynb"),
}
GOOD_NAMES = ["-rf", "O'Neil", 'say "hi"', "<img src=x onerror=evil()>", "a & b", "李明", "{0}", "x" * 200]
BAD_NAMES = ["new\nline", "[bold]*", "[red]x", "\x1b[2J", "right\u202eleft", " space", "y" * 250, os.fsdecode(b"\xff")]


def hand_in_as(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("{}")


def make_class(course: Path, every: int = 1) -> Path:
    """Fill a course's folder with all that is named above, or with one in `every` of each kind."""
    configure(course)
    hand_in(compose(ATTENTION), Course(course), "honest", LESSON)
    for name, put in list(STAMPS.items())[::every]:
        put(hand_in(compose(ATTENTION), Course(course), name, LESSON).with_name("timestamp.txt"))
    for name, (put, _) in list(REFUSED.items())[::every]:
        folder = course / "submitted" / name / LESSON
        folder.mkdir(parents=True)
        put(folder / NOTEBOOK)
    (course / "submitted" / "linked_folder").mkdir()
    (course / "submitted" / "linked_folder" / LESSON).symlink_to("../honest/attention")
    (course / "submitted" / "linked_student").symlink_to("honest")
    for name, (put, _) in list(MISSING.items())[::every]:
        put(course / "submitted" / name / LESSON)
    for name in (*GOOD_NAMES[::every], *BAD_NAMES[::every]):
        hand_in(compose(ATTENTION), Course(course), name, LESSON)
    hand_in("{}", Course(course), "two", LESSON).rename(course / "submitted" / "two" / LESSON / "attention (2).ipynb")
    hand_in(compose(ATTENTION), Course(course), "two", LESSON)
    return course


@pytest.fixture(scope="module")
def graded(tmp_path_factory, store) -> tuple[Path, RunSummary]:
    course = make_class(tmp_path_factory.mktemp("course"))
    done = grade.grade(LESSON, course=Course(course))
    converters.feedback(Course(course), LESSON)
    return course, done


def automatic(course: Path) -> dict[str, float]:
    tests = {cell.grade_id for cell in ATTENTION.of_role("test")}
    return {
        student: sum(row[name] or 0.0 for name in tests) for student, row in books.marks(Course(course), LESSON).items()
    }


def flags(course: Path, student: str) -> list[str]:
    return json.loads((course / ".grading" / "logs" / LESSON / f"{student}.json").read_text())["flags"]


def test_everybody_is_graded_or_gets_a_sentence(graded):
    course, done = graded
    full = sum(cell.points for cell in ATTENTION.of_role("test"))
    marks = automatic(course)
    honest = ["honest", "two", *STAMPS, *GOOD_NAMES]
    refused = [*REFUSED, "linked_folder", "linked_student"]
    assert {student for student, mark in marks.items() if mark == full} == set(honest)
    assert {student for student, mark in marks.items() if mark == 0} == set(refused)
    assert set(done.failed) == {*MISSING, *BAD_NAMES}
    for name, (_, says) in MISSING.items():
        assert says in done.failed[name]
    for name in BAD_NAMES:
        assert done.failed[name].endswith("rename it.")


@pytest.mark.parametrize("name", [*REFUSED, "linked_folder", "linked_student"])
def test_feedback_says_why_nothing_was_graded(graded, name):
    page = (graded[0] / "feedback" / name / LESSON / f"{LESSON}.html").read_text()
    assert f"What was handed in is {REFUSED.get(name, ('', 'a link'))[1]}" in page
    assert "root:" not in page


def test_the_instructor_hears_of_bad_times_and_of_other_notebooks(graded):
    course, _ = graded
    assert flags(course, "honest") == []
    assert flags(course, "two") == ["other notebooks are beside it and were not graded: 'attention (2).ipynb'"]
    for name in STAMPS:
        found = flags(course, name)
        assert [flag for flag in found if "timestamp.txt has no readable time" in flag] == found


def test_nothing_of_a_folder_but_the_notebook_goes_on(graded):
    course, _ = graded
    files = [path for folder in ("autograded", "feedback") for path in (course / folder).rglob("*")]
    assert {path.name for path in files if not path.is_dir()} == {NOTEBOOK, f"{LESSON}.html"}
    assert not any(path.is_symlink() for path in files)


def test_names_do_not_become_marks_on_pages_and_terminals(graded, monkeypatch):
    course, done = graded
    page = (course / "feedback" / "<img src=x onerror=evil()>" / LESSON / f"{LESSON}.html").read_text()
    assert "<img src=x" not in page
    shown = StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=shown, width=300))
    after_grading.print_class(Course(course), ATTENTION, done, everybody=True)
    text = shown.getvalue()
    assert "\x1b" not in text and "\u202e" not in text and "new\nline" not in text
    assert "[red]x, unreadable: The folder's name" in text
    shown.getvalue().encode()


# `tests/journeys/test_grading.py` types the same two commands for an ordinary class.
@pytest.mark.whole
def test_nbgraders_own_command_gives_the_same_marks(graded, tmp_path):
    course = make_class(tmp_path, every=3)
    shutil.copytree(graded[0] / "source", course / "source")
    said = "".join(nbgrader(course, command, LESSON).stderr for command in ("generate_assignment", "autograde"))
    marks = automatic(course)
    assert marks.items() <= automatic(graded[0]).items() and len(marks) > 10
    assert said.count("rename it.") == len(BAD_NAMES[::3])
    assert all(says in said for _, says in list(MISSING.values())[::3])
    assert said.count("Flag: timestamp.txt has no readable time") == len(list(STAMPS)[::3])


def test_formgrader_lists_the_class(graded):
    course, _ = graded
    config = converters.configuration(Course(course))
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    found = {row["student"]: row["timestamp"] for row in api.get_submissions(LESSON)}
    assert set(STAMPS) <= set(found)
    assert {found[name] for name in STAMPS} == {None}


def test_nbgrader_sees_a_later_submission(tmp_path, store):
    """Without --force, as `nbgrader collect --update` and `nbgrader autograde` are typed day after day."""
    path = hand_in(compose(ATTENTION, blank=True), Course(tmp_path), "ada", LESSON)
    path.with_name("timestamp.txt").write_text("2026-11-20 13:45:10.123456 UTC")
    grade.grade(LESSON, course=Course(tmp_path))
    hand_in(compose(ATTENTION), Course(tmp_path), "ada", LESSON)
    converters.convert(Autograde, configuration(Course(tmp_path)), LESSON, force=False)
    assert automatic(tmp_path)["ada"] == 0
    path.with_name("timestamp.txt").write_text("2026-11-21 13:45:10.123456 UTC")
    converters.convert(Autograde, configuration(Course(tmp_path)), LESSON, force=False)
    assert automatic(tmp_path)["ada"] > 0


def test_a_new_time_is_a_change(tmp_path, store):
    path = hand_in(compose(ATTENTION), Course(tmp_path), "ada", LESSON)
    grade.grade(LESSON, course=Course(tmp_path))
    assert grade.grade(LESSON, course=Course(tmp_path)).graded == []
    path.with_name("timestamp.txt").write_text("2026-11-20 13:45:10.123456 UTC")
    assert grade.grade(LESSON, course=Course(tmp_path)).graded == ["ada"]


def test_what_is_handed_in_while_grading_is_graded_next(tmp_path, store, monkeypatch):
    hand_in(compose(ATTENTION, blank=True), Course(tmp_path), "ada", LESSON)
    convert = converters.convert

    def slowly(kind, *args, **options):
        convert(kind, *args, **options)
        if kind is Autograde:
            hand_in(compose(ATTENTION), Course(tmp_path), "ada", LESSON)

    with monkeypatch.context() as patched:
        patched.setattr(converters, "convert", slowly)
        grade.grade(LESSON, course=Course(tmp_path))
    assert automatic(tmp_path)["ada"] == 0
    assert grade.grade(LESSON, course=Course(tmp_path)).graded == ["ada"]
    assert automatic(tmp_path)["ada"] > 0


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-11-20 13:45:10.123456 UTC", datetime(2026, 11, 20, 13, 45, 10, 123456)),
        ("2026-11-20 13:45:10\n", datetime(2026, 11, 20, 13, 45, 10)),
        ("2026-11-20 13:45:10 Europe/Paris", datetime(2026, 11, 20, 12, 45, 10)),
        ("2026-11-20T13:45:10+01:00", datetime(2026, 11, 20, 12, 45, 10)),
    ],
)
def test_times_as_nbgrader_writes_them_are_read(tmp_path, text, time):
    (tmp_path / "timestamp.txt").write_text(text)
    assert submitted_at(tmp_path) == (time, "")


@pytest.mark.parametrize("name", STAMPS)
def test_other_times_are_not(tmp_path, name):
    STAMPS[name](tmp_path / "timestamp.txt")
    time, wrong = submitted_at(tmp_path)
    assert time is None and "no readable time" in wrong


def test_no_time_is_no_fault(tmp_path):
    assert submitted_at(tmp_path) == (None, "")


def test_ordinary_names_are_fine():
    assert not any(wrong_name(name) for name in GOOD_NAMES)
    assert all(wrong_name(name) for name in BAD_NAMES)
