"""What `students.csv` and `extensions.csv` say of a student."""

import csv
import io
import os
from datetime import datetime

import pytest

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.intake.roster import Roster, excused, extension_of

GRANTED = """\
id,lesson,due,excused
ada,attention,2030-01-31 23:59 UTC,
ada,,,yes
bob,attention,,Excused
bob,,2030-02-01,
cyd,,,no
"""


def test_a_line_of_one_lesson_counts_before_the_line_of_all(tmp_path):
    (tmp_path / "extensions.csv").write_text(GRANTED)
    assert excused(Course(tmp_path), "attention") == {"bob"}
    assert excused(Course(tmp_path), "seq2seq") == {"ada"}
    granted = extension_of(Course(tmp_path), "ada", "attention")
    assert (granted.due, granted.excused) == (datetime(2030, 1, 31, 23, 59), False)
    assert extension_of(Course(tmp_path), "bob", "seq2seq").due == datetime(2030, 2, 1, 23, 59)  # the end of that day
    assert extension_of(Course(tmp_path), "dan", "attention") is None


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "extensions.csv"
    assert excused(Course(tmp_path), "attention") == set()
    path.write_text("id,lesson,due,excused\nada,,,yes\n")
    assert excused(Course(tmp_path), "attention") == {"ada"}
    path.write_text("id,lesson,due,excused\nbob,,,yes\n")
    os.utime(path, ns=(1, 1))
    assert excused(Course(tmp_path), "attention") == {"bob"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "id,lesson,due,excused\nada,,,\nbob,,tomorrow,\n",
            "line 3: 'tomorrow' is not a time; write 2030-01-31 23:59 Europe/Paris",
        ),
        ("student;lesson\nada;\n", "has no column 'id'; its first line names the columns"),
        ("id,lesson,due,excused\nada,atention,,yes\n", "line 2: there is no lesson 'atention'; the lessons are: att"),
        ("id,lesson,due,excused\nada,,,peut-être\n", "line 2: 'peut-être' under excused is neither yes nor no"),
        ("id,lesson,due,excused\n\n,attention,,yes\n", "line 3: there is no student '' in students.csv"),
        ("id,lesson,due,excused\nada,,01/02/2030,\n", "line 2: '01/02/2030' is not a time"),
        ("id,lesson,due,excused\nada,,2030-13-40,\n", "line 2: '2030-13-40' is not a time"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, text, says):
    (tmp_path / "extensions.csv").write_text(text)
    with pytest.raises(CourseError, match=says):
        excused(Course(tmp_path), "attention")


@pytest.mark.parametrize("word", ["oui", "Oui", "YES", "x", "是", "dispensée"])
def test_a_course_says_yes_in_its_language(tmp_path, word):
    (tmp_path / "extensions.csv").write_text(f"id,lesson,due,excused\nada,,,{word}\nbob,,,non\n", encoding="utf-8")
    assert excused(Course(tmp_path), "attention") == {"ada"}


def test_a_student_who_is_not_in_the_list_is_refused_with_the_line(tmp_path):
    (tmp_path / "students.csv").write_text("id\nada\n")
    (tmp_path / "extensions.csv").write_text("id,lesson,due,excused\nada,,,yes\nzz9,attention,,yes\n")
    with pytest.raises(CourseError, match=r"line 3: there is no student 'zz9' in students\.csv"):
        excused(Course(tmp_path), "attention")
    (tmp_path / "students.csv").write_text("id\nada\nzz9\n")  # mended there, and read again
    assert excused(Course(tmp_path), "attention") == {"ada", "zz9"}


def test_a_date_is_in_the_courses_zone_unless_it_names_another(tmp_path):
    (tmp_path / "course.toml").write_text('timezone = "Europe/Paris"\n')
    lines = "ada,,2030-01-31 23:59,\nbob,,2030-01-31 23:59 UTC,\ncyd,,2030-07-01 12:00 +05:30,\n"
    (tmp_path / "extensions.csv").write_text(f"id,lesson,due,excused\n{lines}")
    due = {student: extension_of(Course(tmp_path), student, "attention").due for student in ("ada", "bob", "cyd")}
    assert due == {
        "ada": datetime(2030, 1, 31, 22, 59),
        "bob": datetime(2030, 1, 31, 23, 59),
        "cyd": datetime(2030, 7, 1, 6, 30),
    }


HEADS = ("id", "first_name", "last_name", "names")
PEOPLE = (("e01", "Zoé", "Lefèvre", "Zoe L;Z. Lefevre"), ("e02", "Jürgen", "Groß, Jr.", ""))


def saved(separator: str, encoding: str) -> bytes:
    """A list of students as a spreadsheet saves it."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows([HEADS, *PEOPLE, ("", "", "", "")])
    return text.getvalue().encode(encoding)


@pytest.mark.parametrize(
    ("separator", "encoding"),
    [(",", "utf-8"), (",", "utf-8-sig"), (";", "utf-8-sig"), (";", "cp1252"), (",", "cp1252"), ("\t", "utf-16")],
)
def test_the_list_is_read_whatever_a_spreadsheet_made_of_it(tmp_path, separator, encoding):
    (tmp_path / "students.csv").write_bytes(saved(separator, encoding))
    roster = Roster.of(Course(tmp_path))
    assert {tuple(row[head] for head in HEADS) for row in roster.rows.values()} == set(PEOPLE)
    assert roster.find("z lefevre") == {"e01"} and roster.find("Groß, Jr. Jürgen") == {"e02"}


def test_the_list_is_read_once_and_anew_after_it_has_changed(tmp_path):
    (tmp_path / "students.csv").write_text("id\nada\n")
    first = Roster.of(Course(tmp_path))
    assert Roster.of(Course(tmp_path)) is first
    (tmp_path / "new.csv").write_text("id\nbob\n")  # of the same size, and perhaps of the same moment
    (tmp_path / "new.csv").replace(tmp_path / "students.csv")
    assert set(Roster.of(Course(tmp_path)).rows) == {"bob"}
    (tmp_path / "students.csv").unlink()
    assert Roster.of(Course(tmp_path)).rows == {}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"id,first_name\n\xff\xfe\x81,Ada\n", "cannot be read .*; save it as CSV in UTF-8"),
        (b"matricule;nom\ne01;Ada\n", "has no column 'id'; its first line names the columns"),
        (b"id\nada\nbob\nada\n", "line 2: 'ada' is there twice; delete one line"),
        (b"id,names\nada,\n,Bob\n", "line 3: there is no id; write one, or delete the line"),
    ],
)
def test_a_list_of_students_that_cannot_be_meant_is_one_sentence(tmp_path, content, says):
    (tmp_path / "students.csv").write_bytes(content)
    with pytest.raises(CourseError, match=says):
        Roster.of(Course(tmp_path))
