"""`students.csv` may be a list as Moodle, Canvas or Blackboard exports it; what a spreadsheet has spoilt is said."""

import pytest

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.intake.roster import Roster
from tests.helpers.collecting import CollectingCourse, zipped

ADA, LI = ("Ada", "Lovelace"), ("明", "李")
LISTS = {
    "moodle": "First name,Last name,ID number,Email address,Groups\nAda,Lovelace,u1,ada@uni.edu,A\n明,李,u2,li@u,\n",
    "moodle, without numbers": "First name,Last name,ID number,Email address\nAda,Lovelace,,u1\n明,李,,u2\n",
    "moodle, logins": "Username,Surname,First name,ID number\nu1,Lovelace,Ada,2001\nu2,李,明,2002\n",
    "moodle, fr": "Prénom;Nom de famille;Numéro d’identification;Adresse de courriel;Groupes\n"
    "Ada;Lovelace;u1;ada@uni.edu;\n明;李;u2;x@y;\n",
    "moodle, de": "Vorname,Nachname,ID-Nummer,E-Mail-Adresse,Gruppen\nAda,Lovelace,u1,ada@uni.edu,\n明,李,u2,x@y,\n",
    "moodle, zh": "名,姓,学号,电子邮件地址,小组\nAda,Lovelace,u1,ada@uni.edu,\n明,李,u2,x@y,\n",
    "canvas": "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (12345)\n,,,,,Manual Posting\n"
    "    Points Possible,,,,,40\n"
    '"Lovelace, Ada",2001,s1,u1,CS-1,\n"李, 明",2002,s2,u2,CS-1,\n"Student, Test",2003,,0d9a8c,CS-1,\n',
    "canvas, groups": "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
    '"Lovelace, Ada",2001,s1,u1,CS-1,Group A,5,\n"李, 明",2002,s2,u2,CS-1,,,\n',
    "blackboard": '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\n'
    '"Lovelace"\t"Ada"\t"u1"\t"2001"\t"2026-11-20"\t"Yes"\n"李"\t"明"\t"u2"\t"2002"\t""\t"Yes"\n',
    "excel": "sep=;\nid;first_name;last_name\nu1;Ada;Lovelace\nu2;明;李\n",
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("kind", LISTS)
def test_a_list_is_read_as_its_platform_writes_it(tmp_path, kind, encoding):
    (tmp_path / "students.csv").write_bytes(LISTS[kind].encode(encoding))
    found = Roster.of(Course(tmp_path))
    assert {u: (row["first_name"], row["last_name"]) for u, row in found.rows.items()} == {"u1": ADA, "u2": LI}
    assert found.find("Ada Lovelace") == {"u1"} and found.find("李明") == {"u2"}


def test_canvas_numbers_and_logins_are_kept_for_the_archive_the_exchange_and_the_way_back(tmp_path):
    course = CollectingCourse(tmp_path / "course")
    (course.root / "students.csv").write_text(LISTS["canvas"], encoding="utf-8")
    course.put("class.zip", zipped(("lovelaceada_2001_900001_attention.ipynb", "ada"), ("x_2002_900002_x.ipynb", "li")))
    assert course.collect() == {"u1": "ada", "u2": "li"}
    ada = Roster.of(Course(course.root)).rows["u1"]
    assert (ada["lms_user_id"], ada["sis_user_id"], ada["section"]) == ("2001", "s1", "CS-1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "id,first_name\n2.02301E+07,Ada\n2.02301E+07,Alan\n",
            "line 2: a spreadsheet has spoilt the number '2.02301E.07'; fo",
        ),
        ("id;first_name\n2,02301E+07;Ada\n", "line 2: a spreadsheet has spoilt"),
        ("id,first_name\n2023010.0,Ada\n", "line 2: a spreadsheet has spoilt"),
        ("id,first_name\nu1,Ada\n########,Alan\n", "line 3: a spreadsheet has spoilt"),
        ("id;id\nu1;Ada\n", "line 1: there are two columns 'id'; delete one of them"),
        (
            "matricule;nom\ne01;Ada\n",
            "first_name, last_name, .* Moodle's participants, of Canvas' or Blackboard's .*SIS Login",
        ),
    ],
)
def test_what_cannot_be_meant_is_said_without_advice_to_delete_a_student(tmp_path, text, says):
    (tmp_path / "students.csv").write_text(text)
    with pytest.raises(CourseError, match=says) as caught:
        Roster.of(Course(tmp_path))
    assert "delete the line" not in str(caught.value) and "delete one line" not in str(caught.value)


def test_a_line_break_within_a_field_is_kept_and_lines_are_counted_with_it(tmp_path):
    (tmp_path / "students.csv").write_text('id,first_name,note\r\nu1,Ada,"one\r\ntwo"\r\nu1,Alan,\r\n', newline="")
    with pytest.raises(CourseError, match="line 2: 'u1' is there twice"):
        Roster.of(Course(tmp_path))
    (tmp_path / "students.csv").write_text('id,first_name,note\r\nu1,Ada,"one\r\ntwo"\r\na/b,Alan,\r\n', newline="")
    with pytest.raises(CourseError, match="line 4: 'a/b' cannot be an id"):
        Roster.of(Course(tmp_path))
    (tmp_path / "students.csv").write_text('id,first_name,note\r\nu1,Ada,"one\r\ntwo"\r\n', newline="")
    assert Roster.of(Course(tmp_path)).rows["u1"]["note"] == "one\r\ntwo"
