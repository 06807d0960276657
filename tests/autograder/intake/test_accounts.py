"""A mark has one owner: no name, table or second archive of a student puts anything in another student's place."""

import pytest

from autograder.common.course import Course
from autograder.intake.places import Place, places_of
from autograder.intake.whose import InArchive, recognise
from tests.helpers.collecting import LESSON, CollectingCourse, zipped

STUDENTS = "id,first_name,last_name\nbob,Bob,Babbage\nmallory,Mallory,Stone\n"
FOLDER = "{}_assignsubmission_file_/attention.ipynb"
HEAD = "Identifier,Full name,Last modified (submission)\n"
ON_TIME, LATE = '"Friday, 20 November 2026, 1:45 PM"', '"Tuesday, 1 December 2026, 1:45 PM"'


@pytest.fixture
def course(tmp_path) -> CollectingCourse:
    course = CollectingCourse(tmp_path / "course")
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    return course


def stamp(course: CollectingCourse, student: str) -> str:
    path = course.root / "submitted" / student / LESSON / "timestamp.txt"
    return path.read_text() if path.exists() else ""


BOB = FOLDER.format("Bob Babbage_111")


@pytest.mark.parametrize(
    "other",
    [
        FOLDER.format("Bob Babbage_111_assignsubmission_file_x_333"),  # a display name that is another's folder name
        "Bob Babbage_111_assignsubmission_file_x_333_assignsubmission_file_attention.ipynb",
        "Mallory Stone_333_assignsubmission_file_Bob Babbage_111_assignsubmission_file_attention.ipynb",
        "Mallory Stone_333_assignsubmission_file_Bob Babbage_111_assignsubmission_file_.zip",
        "attention_bob_attempt_2026-11-20-13-45-10_x_attempt_2026-11-21-13-45-10_attention.ipynb",
        "bobbabbage_111_assignsubmission_file_x_333_900001_attention.ipynb",
    ],
)
def test_a_name_that_holds_anothers_whole_name_never_replaces_a_notebook(course, caplog, other):
    content = zipped(("attention.ipynb", "mallory")) if other.endswith("zip") else "mallory"
    files = [(BOB, "bob"), (other, content)]
    for order in (files, files[::-1]):
        course.put("class.zip", zipped(*order))
        taken = course.collect(force=True)
        assert taken["bob"] == "bob"
        assert set(taken) <= {"bob", "Bob_Babbage_111_assignsubmission_file_x_333"}
        assert "rename it" in caplog.text or "Whose is it? 'Bob_Babbage_111_assignsub" in caplog.text
        caplog.clear()


def test_the_last_number_of_moodles_folder_is_moodles():
    place = ("Bob Babbage_111_assignsubmission_file_x_333_assignsubmission_file_", "attention.ipynb")
    found = recognise(place, LESSON)
    assert isinstance(found, InArchive) and found.participant == "333"


def test_three_numbers_in_a_name_of_canvas_are_a_question(course, caplog):
    """Canvas keeps what follows the name: the user 33333 whose name ends in _111, or a file called 900001_…"""
    name = "babbagebob_111_33333_900001_attention.ipynb"
    course.put("class.zip", zipped((name, "mallory")))
    assert "bob" not in course.collect()
    assert "because the name has three ids" in caplog.text
    (course.root / "students.csv").write_text("id,lms_user_id\nbob,111\nmallory,33333\n")
    assert "bob" not in course.collect(force=True)
    (course.root / "students.csv").write_text("id,lms_user_id\nbob,111\nmallory,44444\n")
    assert course.collect(force=True)["bob"] == "mallory"  # a student number before the file's name


def test_a_number_of_an_earlier_archive_is_held_against_a_new_one(course, caplog):
    course.put("a.zip", zipped((BOB, "bob")))
    assert course.collect() == {"bob": "bob"}
    (course.archive / "a.zip").unlink()
    course.put("b.zip", zipped((FOLDER.format("Bob Babbage_333"), "mallory")))
    assert course.collect(force=True) == {"bob": "bob", "Bob_Babbage_333": "mallory"}
    assert "'Bob_Babbage_333' has the same name as bob, who had another id there before, 111" in caplog.text
    assert places_of(Course(course.root), LESSON)["bob"] == Place("moodle", BOB.split("/")[0])
    course.put("b.zip", zipped((BOB, "bob, again")))
    assert course.collect(force=True)["bob"] == "bob, again"


def test_a_students_own_table_is_not_moodles(course, caplog):
    table = HEAD + f"Participant 111,Bob Babbage,{LATE}\nParticipant 333,Mallory Stone,{ON_TIME}\n"
    course.put("Grades.csv", (HEAD + f"Participant 111,Bob Babbage,{ON_TIME}\n").encode())
    for number, name, content in ((111, "Bob Babbage", "bob"), (333, "Mallory Stone", "mallory")):
        course.put(FOLDER.format(f"{name}_{number}"), content.encode())
    course.put("Mallory Stone_333_assignsubmission_file_/00.csv", table.encode())
    assert course.collect() == {"bob": "bob", "mallory": "mallory"}
    assert stamp(course, "bob").startswith("2026-11-20") and not stamp(course, "mallory")
    assert (
        "Left out, because they are not notebooks (1): Mallory Stone_333_assignsubmission_file_/00.csv" in caplog.text
    )


def test_two_worksheets_that_contradict_are_a_question(course, caplog):
    course.put("class.zip", zipped((BOB, "bob")))
    course.put("a.csv", (HEAD + f"Participant 111,Bob Babbage,{ON_TIME}\n").encode())
    course.put("b.csv", (HEAD + f"Participant 111,Bob Babbage,{LATE}\n").encode())
    assert course.collect() == {"bob": "bob"}
    assert not stamp(course, "bob")
    assert "Which worksheet counts? a.csv and b.csv differ on the student with Moodle's number 111" in caplog.text


def test_the_worksheets_address_says_who_a_number_is(course, caplog):
    (course.root / "students.csv").write_text("id,email\nbob,bob@uni.edu\nmallory,m@uni.edu\n")
    head = HEAD.replace("Full name", "Full name,Email address")
    course.put("g.csv", (head + f"Participant 111,Bob Babbage,bob@uni.edu,{ON_TIME}\n").encode())
    course.put("class.zip", zipped((FOLDER.format("Participant_111"), "bob"), (FOLDER.format("Participant_333"), "m")))
    assert course.collect() == {"bob": "bob", "Participant_333": "m"}
    assert "Anonymous submissions (1): Participant_333." in caplog.text
