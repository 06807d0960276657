"""`workbook roster`: a person is matched once, and nobody gets another's line."""

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.__main__ import main
from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.intake.roster import Roster
from autograder.lti.roster import Member, match, write
from benchmarks.proof.lti import drawn_rosters
from tests.helpers.courses import configure
from tests.helpers.learning_platform import ROLE
from tests.helpers.platform_class import take_roster

ADA = Member("7", "ada@uni.edu", "Ada", "Lovelace")


def row(id_: str, **more: str) -> dict[str, str]:
    return {"id": id_, **more}


def test_a_student_is_matched_by_mail_or_the_institutions_number_whatever_the_case():
    for line in (row("x1", email="ADA@uni.edu"), row("ada@uni.edu"), row("x1", username="Ada@uni.edu")):
        assert match([line], [ADA]).rows[0]["lti_user_id"] == "7"
    numbered = Member("8", "", "Bob", "", "M-17")
    for line in (row("m-17"), row("x1", id_number="M-17"), row("x1", sis_user_id="m-17")):
        done = match([line], [numbered])
        assert (done.matched, done.new, done.rows[0]["lti_user_id"]) == ([line["id"]], [], "8")


def test_names_match_nobody():
    done = match([row("x1", first_name="Ada", last_name="Lovelace")], [ADA])
    assert (done.matched, done.new) == ([], ["ada"]) and done.rows[0].get("lti_user_id") is None


def test_afterwards_the_platforms_number_alone_counts():
    lines = [row("ada", lti_user_id="7", email="ada@uni.edu"), row("bob", lti_user_id="8", email="bob@uni.edu")]
    done = match(
        lines, [Member("7", "countess@uni.edu", "Ada", "Lovelace"), Member("8", "ada@uni.edu", "Ada", "Lovelace")]
    )
    assert [one["lti_user_id"] for one in done.rows] == ["7", "8"]
    assert done.rows[0]["email"] == "countess@uni.edu"
    assert done.changed == ["ada (first_name, last_name, email)", "bob (first_name, last_name)"]
    assert done.rows[1]["email"] == "bob@uni.edu", "an address that another line has"


def test_two_who_fit_one_line_and_one_who_fits_two_are_in_doubt():
    twice = [ADA, Member("8", "ada@uni.edu")]
    done = match([row("ada", email="ada@uni.edu")], twice)
    assert done.doubtful == ["7: ada?", "8: ada?"] and not done.matched and not done.new
    done = match([row("a", email="ada@uni.edu"), row("b", username="ada@uni.edu")], [ADA])
    assert done.doubtful == ["7: a, b?"] and done.rows == [
        row("a", email="ada@uni.edu"),
        row("b", username="ada@uni.edu"),
    ]


def test_two_new_students_of_one_name_and_one_who_takes_a_name_are_in_doubt():
    done = match([], [ADA, Member("8", "Ada@elsewhere.edu"), Member("9", "bob@uni.edu")])
    assert done.new == ["bob"] and done.doubtful == [
        "7: ada?",
        "8: Ada?",
    ]
    done = match([row("ada", lti_user_id="1")], [Member("1"), ADA])
    assert done.new == [] and len(done.doubtful) == 1


def test_a_platforms_number_is_kept_as_it_is_and_belongs_to_one_line(platform, tmp_path):
    there = platform(2)
    numbers = [f"-{'7' * 150}{end}" for end in "ab"]
    for person, number in zip(there.members, numbers, strict=True):
        person["user_id"] = number
    done = take_roster(there.connect(tmp_path))
    assert [one["lti_user_id"] for one in done.rows] == numbers
    with pytest.raises(PlatformError, match=r"students\.csv: ada and bob have the same lti_user_id; delete one"):
        match([row("ada", lti_user_id="7"), row("bob", lti_user_id="7")], [ADA])


def test_a_name_that_cannot_be_a_folders_is_not_an_id():
    assert Member("7", "../x@uni.edu", known_as="a/b").id == "7"
    assert Member("7", "x@uni.edu", known_as="..").id == "x" and Member("a/b", "").id == ""


def test_students_who_left_stay_in_the_list_and_are_named():
    done = match([row("ada", lti_user_id="7"), row("old", lti_user_id="6"), row("byhand")], [ADA])
    assert done.gone == ["old"] and [one["id"] for one in done.rows] == ["ada", "old", "byhand"]


LIST = "id;first_name;last_name;email;names;group;Section\nada;;;ada@uni.edu;Lady L;g1;A\nbob;Bob;;;;;\n"


@pytest.fixture
def course(platform, tmp_path) -> Course:
    there = platform(5)
    there.members[0] |= {"email": "ada@uni.edu", "given_name": "=Ada()", "family_name": "Love\nlace"}
    there.members[3]["roles"] = [ROLE + "Instructor"]
    there.members[4]["status"] = "Inactive"
    (tmp_path / "students.csv").write_text(LIST)
    configure(tmp_path)
    return there.connect(tmp_path)


def typed(course: Course, *words: str, answer: str = "") -> str:
    done = CliRunner().invoke(main, ["roster", "--course", str(course), *words], input=answer)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_shows_what_changes_and_writes_it_after_a_yes(course):
    shown = typed(course, answer="n\n")
    assert "Students on the platform: 3, in the list: 4.\n" in shown
    assert "new: 2 (s1, s2)\n" in shown and "matched with the platform for the first time: 1 (ada)\n" in shown
    assert (course / "students.csv").read_text() == LIST
    typed(course, answer="y\n")
    rows = Roster.of(course).rows
    assert list(rows) == ["ada", "bob", "s1", "s2"]
    ada = {"id": "ada", "first_name": "Ada()", "last_name": "Love lace", "email": "ada@uni.edu", "lms_user_id": ""}
    ada |= {"names": "Lady L", "group": "g1", "lti_user_id": "u-0", "section": "A"}
    assert ada.items() <= rows["ada"].items()
    assert stat.S_IMODE((course / "students.csv").stat().st_mode) == 0o600
    assert typed(course) == "Students on the platform: 3, in the list: 4.\n"


def test_lines_of_students_who_left_are_removed_when_that_is_said(course):
    with (course / "students.csv").open("a") as file:
        file.write("")
    typed(course, "--yes")
    gone = (course / "students.csv").read_text().replace("u-1", "u-9").replace("s1", "old")
    (course / "students.csv").write_text(gone)
    assert "left the course on the platform: 1 (old)" in typed(course, answer="n\n")
    shown = typed(course, "--yes", "--drop")
    assert "left the course on the platform, and are removed: 1 (old)" in shown
    assert "old" not in Roster.of(course).rows


def test_an_empty_list_changes_nothing(platform, tmp_path):
    course = platform(0).connect(tmp_path)
    with pytest.raises(PlatformError, match="no students; nothing was changed"):
        take_roster(course)


@pytest.mark.parametrize(
    "table",
    [
        "First name,Last name,ID number,Email address\nAda,Lovelace,m-1,ada@uni.edu\n",
        'Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Lovelace, Ada",2001,sis-1,s1,CS-1\n',
        "id,full_name\nada,Ada Lovelace\n",
    ],
)
def test_a_list_from_a_platform_reads_the_same_after_it_was_written(tmp_path, table):
    (tmp_path / "students.csv").write_text(table)
    course = Course(tmp_path)
    before = Roster.of(course).rows
    write(course, list(before.values()))
    after = Roster.of(course).rows
    assert after.keys() == before.keys()
    for student, line in before.items():
        known = {name: text for name, text in line.items() if text and name != "full_name"}
        assert {name: after[student][name] for name in known} == known
    assert Path(tmp_path, "students.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_in_drawn_rosters_nobody_gets_another_persons_line():
    assert list(drawn_rosters(60, seed=1)) == []
