"""Tables as people and spreadsheets write them: separators, quotation marks, encodings, empty lines, line numbers."""

import codecs
import json

import pytest

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.intake.places import Place, note_places, places_of
from autograder.intake.roster import Roster, plain
from autograder.intake.tables import decoded, rows


def table(tmp_path, text: str | bytes):
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_fields_are_parted_by_what_the_first_line_has_most_of(tmp_path, separator):
    path = table(
        tmp_path, "\n" + separator.join(("ID", "Name", "x")) + "\n" + separator.join((" a ", '"b, c; d"', "1.5"))
    )
    (row,) = rows(path, "id")
    assert row.fields == {"id": "a", "name": "b, c; d", "x": "1.5"} and row.number == 3


def test_a_field_that_a_line_or_the_table_lacks_is_empty(tmp_path):
    first, second = rows(table(tmp_path, "id,name\na\nb,c,too many\n"))
    assert (first["name"], first["other"], second["name"]) == ("", "", "c")
    assert second.fields == {"id": "b", "name": "c"}


def test_empty_lines_are_passed_over_and_counted(tmp_path):
    found = rows(table(tmp_path, "\r\nid,name\r\n,\r\n \r\na,b\r\n\r\n"))
    assert [(row.number, row["id"]) for row in found] == [(5, "a")]


def test_quotation_marks_hold_separators_and_are_doubled(tmp_path):
    (row,) = rows(table(tmp_path, 'id,name\n"o\'neil, x","say ""A"""\n'))
    assert (row["id"], row["name"]) == ("o'neil, x", 'say "A"')


@pytest.mark.parametrize("content", ["", "\n\n", " , \n", "\ufeff"])
def test_a_table_without_a_line_has_no_rows_and_asks_for_no_columns(tmp_path, content):
    assert rows(table(tmp_path, content), "id") == []
    assert rows(tmp_path / "none.csv", "id") == []


def test_a_table_with_a_head_alone_has_no_rows_but_its_columns_are_asked_for(tmp_path):
    assert rows(table(tmp_path, "Id\n"), "id") == []
    with pytest.raises(CourseError, match="has no column 'due'; its first line names the columns"):
        rows(table(tmp_path, "id\na\n"), "id", "due")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("é李".encode(), "é李"),
        ("é李".encode("utf-8-sig"), "é李"),
        ("é".encode("cp1252"), "é"),
        ("id,last_name\nu1,Núñez\nu2,Größe".encode("cp1252"), "id,last_name\nu1,Núñez\nu2,Größe"),
        (codecs.BOM_UTF16_LE + "é李".encode("utf-16-le"), "é李"),
        (codecs.BOM_UTF16_BE + "é李".encode("utf-16-be"), "é李"),
    ],
)
def test_each_encoding_of_a_spreadsheet_is_read(content, text):
    assert decoded(content) == text


@pytest.mark.parametrize("content", [codecs.BOM_UTF16_LE + b"a", b"\x81\xff", b"id\n" + b"x" * 200_000])
def test_what_is_no_table_is_one_sentence(tmp_path, content):
    with pytest.raises(CourseError, match=r"table.csv cannot be read .*; save it as CSV in UTF-8"):
        rows(table(tmp_path, content))


def test_places_are_added_to_those_known_and_a_damaged_file_knows_none(tmp_path):
    assert places_of(Course(tmp_path), "gpt") == {}
    note_places(Course(tmp_path), "gpt", {"ada": Place("moodle", "x"), "李明": Place("canvas", "y")})
    note_places(Course(tmp_path), "gpt", {"ada": Place("canvas", "z")})
    note_places(Course(tmp_path), "attention", {"bob": Place("moodle", "w")})
    assert places_of(Course(tmp_path), "gpt") == {"ada": Place("canvas", "z"), "李明": Place("canvas", "y")}
    path = tmp_path / ".grading" / "places" / "gpt.json"
    assert json.loads(path.read_text())["ada"] == {"platform": "canvas", "name": "z"}
    path.write_text("{")
    assert places_of(Course(tmp_path), "gpt") == {}


# ---- names ----


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José GARCÍA", "garcia jose"),
        ("O’Neil-Smith, Ann", "ann smith o neil"),
        ("ＡＤＡ", "ada"),
    ],
)
def test_spellings_of_a_name_agree(one, other):
    assert plain(one) == plain(other)


@pytest.mark.parametrize(("one", "other"), [("ada b", "adab"), ("李明", "李"), ("ada", "adam")])
def test_other_names_do_not(one, other):
    assert plain(one) != plain(other)


def test_a_student_is_found_by_each_name_the_first_known_one_counts():
    roster = Roster(
        [
            {"id": "s1", "first_name": "Ada", "last_name": "Byron", "email": "a@uni.edu", "names": "Countess; AAL;"},
            {"id": "s2", "first_name": "Ada", "last_name": "", "lms_user_id": "77"},
            {"id": "s3", "first_name": "明", "last_name": "李"},
            {"id": "s4", "first_name": "Ada", "last_name": "Byron"},
            {"id": ""},
        ]
    )
    assert list(roster.rows) == ["s1", "s2", "s3", "s4"]
    for name in ("s1", "A@UNI.EDU", "countess", "aal"):
        assert roster.find(name) == {"s1"}
    assert roster.find("77") == {"s2"} and roster.find("李明") == {"s3"} == roster.find("明 李")
    assert roster.find("Byron, Ada") == {"s1", "s4"}
    assert roster.find("nobody", "77", "s1") == {"s2"}
    assert roster.find("Ada") == set() == roster.find("", " ", "Byron") == roster.find()
