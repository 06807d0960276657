"""`workbook collect`: the exchange and archives by one command, repeated at will; its end is what needs a person."""

import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.course import new
from autograder.gradebook.collecting import collect
from autograder.intake.folder import submitted_at
from autograder.intake.places import Place, places_of
from tests.helpers.typed import workbook

LESSON = "attention"
MOODLE = "Ada Lovelace_123_assignsubmission_file_"
CANVAS = "hopper_LATE_77_888888_attention-1.ipynb"
WORKSHEET = (
    "Identifier,Full name,Last modified (submission),Grade,Last modified (grade)\n"
    'Participant 123,Ada Lovelace,"Friday, 20 November 2026, {}",-,-\n'
)


@pytest.fixture
def course(tmp_path) -> Path:
    course = tmp_path / "term"
    new.make(course, "dl", "en", exchange=tmp_path / "exchange")
    (course / "students.csv").write_text(
        "id,first_name,last_name,lms_user_id\nada,Ada,Lovelace,\ngrace,Grace,Hopper,77\n"
    )
    return course


def put(course: Path, name: str, content: str, archive: str = "class.zip", mode: str = "w") -> None:
    path = course / "downloaded" / LESSON / "archive" / archive
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, mode) as zipped:
        zipped.writestr(name, content)


def test_archives_are_taken_and_taken_again_without_force(course):
    put(course, f"{MOODLE}/attention.ipynb", "one")
    put(course, CANVAS, "two", "canvas.zip")
    put(course, "Eve Unknown_9_assignsubmission_file_/attention.ipynb", "three", mode="a")
    done = collect(Course(course), LESSON)
    assert (done.ways, done.new, done.newer) == (["archives"], ["Eve_Unknown_9", "ada", "grace"], [])
    assert done.strangers == ["Eve_Unknown_9"] and done.students == 3
    said = " ".join(done.remarks)
    assert "'Eve_Unknown_9' is not in students.csv" in said and "but not when: 'grace'" in said
    assert "does not say when 2 students handed in" in said and "No release notebooks" not in said
    assert places_of(Course(course), LESSON)["ada"] == Place("moodle", MOODLE)
    assert places_of(Course(course), LESSON)["grace"] == Place("canvas", CANVAS)
    put(course, f"{MOODLE}/attention.ipynb", "one, mended")
    done = collect(Course(course), LESSON)
    assert (done.new, done.newer) == ([], ["ada"])
    assert (course / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb").read_text() == "one, mended"


def test_times_that_canvas_does_not_tell_are_written_by_hand_and_stay(course):
    put(course, CANVAS, "two", "canvas.zip")
    put(course, "lovelaceada_76_888887_attention.ipynb", "one", "canvas.zip", "a")
    said = " ".join(collect(Course(course), LESSON).remarks)
    assert "but not when: 'grace'" in said and "one student will not count as late" in said
    folder = next((course / "submitted").glob("grace*")) / LESSON
    (folder / "timestamp.txt").write_text("2026-11-20 13:00:00 Europe/Paris")
    said = " ".join(collect(Course(course), LESSON).remarks)
    assert "'grace'" not in said and "one student will not count as late" in said
    assert submitted_at(folder)[0] == datetime(2026, 11, 20, 12)
    put(course, CANVAS, "two, later", "canvas.zip")
    assert collect(Course(course), LESSON).newer == ["grace"] and submitted_at(folder)[0] is None


@pytest.mark.parametrize(("hour", "kept"), [("9:45 AM", "by the exchange"), ("3:45 PM", "by Moodle")])
def test_of_two_submissions_the_newer_stays(course, hour, kept):
    (course / "course.toml").write_text('timezone = "UTC"\n')
    mine = course / "submitted" / "ada" / LESSON
    mine.mkdir(parents=True)
    (mine / f"{LESSON}.ipynb").write_text("by the exchange")
    (mine / "timestamp.txt").write_text("2026-11-20 12:00:00 UTC")
    put(course, f"{MOODLE}/attention.ipynb", "by Moodle")
    (course / "downloaded" / LESSON / "archive" / "grades.csv").write_text(WORKSHEET.format(hour))
    collect(Course(course), LESSON)
    assert (mine / f"{LESSON}.ipynb").read_text() == kept


def test_with_neither_archive_nor_exchange_it_says_what_to_do(course):
    with pytest.raises(GradingError, match=f"put the platform's archive into .*downloaded/{LESSON}/archive/"):
        collect(Course(course), LESSON)


def test_the_command_ends_with_what_needs_a_person(course):
    for number in range(30):
        put(course, f"Zoe Y_{number}_assignsubmission_file_/attention.ipynb", "x", f"{number}.zip")
    put(course, f"{MOODLE}/attention.ipynb", "one", "ada.zip")
    done = workbook(course, "collect", LESSON)
    assert done.returncode == 0, done.stderr
    first, *others, last = done.stdout.splitlines()
    assert first.startswith("attention, from archives: 31 new, 0 newer (Zoe_Y_0, ") and first.endswith("; 31 in all.")
    assert last == "Next: workbook grade attention" and "Not in students.csv (30)" in others[-1]
    assert len([line for line in others if line.startswith("Whose is it?")]) == 30
    assert "Copying" not in done.stdout + done.stderr


def test_json_of_places_that_cannot_be_read_counts_as_none(course):
    path = course / ".grading" / "places" / f"{LESSON}.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    assert places_of(Course(course), LESSON) == {}
