"""A group's notebook is that of each member, by any platform; whoever changed the group is a question."""

import pytest

from autograder.common.course import Course
from autograder.intake.places import Place, places_of
from tests.helpers.collecting import LESSON, CollectingCourse, zipped

PEOPLE = """\
id,first_name,last_name,email,group
ada,Ada,Lovelace,ada@uni.edu,Group A
alan,Alan,Turing,,Group A
grace,Grace,Hopper,,Les Îles
emmy,Emmy,Noether,,
"""
MOODLE = "{}_assignsubmission_file_/attention.ipynb"
HEAD = "Identifier,Full name,Email address,Group,Last modified (submission)\n"
SHEET = HEAD + (
    'Participant 71,Ada Lovelace,ada@uni.edu,Group A,"Friday, 20 November 2026, 1:45 PM"\n'
    'Participant 72,Alan Turing,,Group A,"Friday, 20 November 2026, 1:45 PM"\n'
)


@pytest.fixture
def course(tmp_path) -> CollectingCourse:
    course = CollectingCourse(tmp_path / "course")
    (course.root / "students.csv").write_text(PEOPLE, encoding="utf-8")
    return course


def without_groups(course: CollectingCourse) -> None:
    lines = [line.rpartition(",")[0] for line in PEOPLE.splitlines()]
    (course.root / "students.csv").write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize(
    "names",
    [
        (MOODLE.format("Group A_12"), MOODLE.format("Les Îles_13"), MOODLE.format("Default group")),
        ("groupa_5_900001_x.ipynb", "lesîles_LATE_6_900002_x.ipynb", "noetheremmy_7_900003_x.ipynb"),
        tuple(f"HW 1_{one}_attempt_2026-11-20-13-45-10_x.ipynb" for one in ("Group A", "Les Îles", "emmy")),
        ("Group A/x.ipynb", "Les Îles/x.ipynb", "emmy/x.ipynb"),
    ],
)
def test_one_notebook_is_that_of_each_member(course, caplog, names):
    course.put("class.zip", zipped(*zip(names, "abc", strict=True)))
    assert course.collect() == {"ada": "a", "alan": "a", "grace": "b", "emmy": "c"}
    assert "Refused" not in caplog.text and "Whose is it?" not in caplog.text


def test_the_members_may_be_in_moodles_worksheet_which_says_the_time_and_the_way_back(course):
    without_groups(course)
    course.put("Grades.csv", SHEET.encode())
    course.put("class.zip", zipped((MOODLE.format("Group A_12"), "a")))
    assert course.collect() == {"ada": "a", "alan": "a"}
    for student, number, name in (("ada", 71, "Ada Lovelace"), ("alan", 72, "Alan Turing")):
        place = places_of(Course(course.root), LESSON)[student]
        assert place == Place("moodle", f"{name}_{number}_assignsubmission_file_", "Group_A_12")
        assert (course.root / "submitted" / student / LESSON / "timestamp.txt").read_text() == "2026-11-20 13:45:00"


@pytest.mark.parametrize(
    "table",
    [
        "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
        '"Lovelace, Ada",101,9,ada,S1,Group A,5,\n"Turing, Alan",102,9,alan,S1,Group A,5,\n',
        '"Group Code","User Name","Student Id","First Name","Last Name"\n'
        '"Group A","ada","1","Ada","Lovelace"\n"Group A","alan","2","Alan","Turing"\n',
    ],
)
def test_the_members_may_be_in_canvas_or_blackboards_table_beside_the_archive(course, table):
    without_groups(course)
    course.put("groups.csv", table.encode())
    course.put("class.zip", zipped(("groupa_101_900001_attention.ipynb", "a")))
    assert course.collect() == {"ada": "a", "alan": "a"}


def test_a_group_whose_members_are_not_known_is_asked_about(course, caplog):
    without_groups(course)
    course.put("class.zip", zipped((MOODLE.format("Default group"), "a"), (MOODLE.format("Group A_12"), "b")))
    assert course.collect() == {"Default_group": "a", "Group_A_12": "b"}
    assert "'Default_group' is a group, whose members are not known; write it into the column `group`" in caplog.text
    (course.root / "students.csv").write_text(PEOPLE, encoding="utf-8")
    assert course.collect(force=True) == {"ada": "b", "alan": "b", "emmy": "a"}


def test_who_changed_the_group_is_asked_about_and_keeps_the_notebook(course, caplog):
    course.put("class.zip", zipped((MOODLE.format("Group A_12"), "a"), (MOODLE.format("Les Îles_13"), "b")))
    assert course.collect() == {"ada": "a", "alan": "a", "grace": "b"}
    (course.root / "students.csv").write_text(PEOPLE.replace("Turing,,Group A", "Turing,,Les Îles"), encoding="utf-8")
    assert course.collect(force=True)["alan"] == "a"
    assert (
        "alan handed in with Group_A_12 before, and is in Les_Îles_13 now; to take this notebook, remove" in caplog.text
    )
    (course.root / "submitted" / "alan" / LESSON / f"{LESSON}.ipynb").unlink()
    for path in sorted((course.root / "submitted" / "alan").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert course.collect(force=True)["alan"] == "b"


def test_two_tables_that_differ_on_a_group_are_a_question(course, caplog):
    course.put("Grades.csv", SHEET.replace("Alan Turing,,Group A", "Alan Turing,,Group B").encode())
    course.put("class.zip", zipped((MOODLE.format("Group A_12"), "a")))
    assert course.collect() == {"ada": "a"}
    assert "Which group is alan in? Group A by students.csv, Group B by the platform's table" in caplog.text


@pytest.mark.parametrize("name", [MOODLE.format("Group A_73"), "groupa_77_900001_x.ipynb"])
def test_a_student_who_is_called_like_a_group_hands_in_for_nobody_else(course, name):
    lines = [f"{line},{'lms_user_id' if line.startswith('id') else ''}" for line in PEOPLE.splitlines()]
    (course.root / "students.csv").write_text("\n".join([*lines, "mallory,Mallory,Stone,,,77"]), encoding="utf-8")
    course.put("Grades.csv", (SHEET + "Participant 73,Group A,,,-\n").encode())
    course.put("class.zip", zipped((name, "m"), (MOODLE.format("Group A_12"), "a")))
    taken = course.collect()
    assert taken["ada"] == taken["alan"] == "a" and taken[("Group_A_73" if "73" in name else "mallory")] == "m"


@pytest.mark.parametrize("form", [MOODLE, "HW_{}_attempt_2026-11-20-13-45-10_x.ipynb"])
def test_a_student_in_two_groups_that_hand_in_is_asked_about(course, caplog, form):
    (course.root / "students.csv").write_text(PEOPLE.replace("Turing,,Group A", 'Turing,,"Group A, Les Îles"'))
    names = ("Group A_12", "Les Îles_13") if form == MOODLE else ("Group A", "Les Îles")
    course.put("class.zip", zipped(*zip(map(form.format, names), "ab", strict=True)))
    taken = course.collect()
    assert (taken["ada"], taken["grace"]) == ("a", "b") and "alan" not in taken
    assert "is a group of alan, who is in another group as well" in caplog.text
