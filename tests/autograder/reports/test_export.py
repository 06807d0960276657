"""Tables for campus systems, read back as these systems read them: by their documentation and importers."""

import csv
import io
from datetime import datetime
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.lesson.text import Lesson
from autograder.reports import export, spreadsheet

ATTENTION = Lesson.load("attention", WORKBOOK)
CELLS = ATTENTION.of_role("test", "essay")
MOST = sum(cell.points for cell in CELLS)
STUDENTS = """\
id,first_name,last_name,email,lms_user_id,names
s1,Ada,Lovelace,ada@uni.edu,12345,
s2,Seán,"O’Brien, Jr.",=cmd|calc,,
s3,明,李,li@uni.edu,777,
s4,Eve,Late,eve@uni.edu,,
s5,Fay,Ill,fay@uni.edu,,
"""
# s5 is excused and hands in nothing, as an ill student does; s4 is excused from another lesson only.
EXTENSIONS = "id,lesson,due,excused\ns3,attention,,yes\ns5,,,yes\ns4,seq2seq,,yes\n"


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    (tmp_path / "students.csv").write_text(STUDENTS, encoding="utf-8")
    (tmp_path / "extensions.csv").write_text(EXTENSIONS)
    first, second = (cell.grade_id for cell in CELLS[:2])
    essay = next(cell.grade_id for cell in CELLS if cell.role == "essay")
    found = {
        "s1": StudentMarks({first: 2.0, second: 1 / 3}, max_score=MOST, penalty=0.5, time=datetime(2026, 1, 1)),
        "s2": StudentMarks({first: 1.0, essay: 0.0}, {essay}, max_score=MOST),
        "s3": StudentMarks({first: 3.0}, {essay}, max_score=MOST, excused=True),
        "elsewhere_9": StudentMarks({}, max_score=MOST),
    }
    monkeypatch.setattr(roll, "standings", lambda *asked: found if asked == (Course(tmp_path), "attention") else {})
    return tmp_path


def read(course: Path, system: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(export.export(Course(course), ATTENTION, system), newline="")))


def test_canvas_finds_header_students_and_points(course):
    """As lib/gradebook_importer.rb does: `row_has_student_headers?`, `update_column_count`, `process_pp`."""
    header, possible, *rows = read(course, "canvas")
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "attention"]
    assert possible == ["    Points Possible", "", "", "", "", f"{MOST:g}"]
    assert {len(row) for row in (header, possible, *rows)} == {6}
    by_sis = {row[2]: row for row in rows}
    assert by_sis["s1"] == ["Lovelace, Ada", "12345", "s1", "ada@uni.edu", "", "1.83"]
    assert by_sis["s3"][0] == "李, 明" and by_sis["s3"][5] == "EX"
    assert by_sis["s5"] == ["Ill, Fay", "", "s5", "fay@uni.edu", "", "EX"]
    assert "s4" not in by_sis  # who hands in nothing, and is not excused, has no row: Canvas leaves the mark as it is
    assert "elsewhere_9" not in by_sis  # handed in, but students.csv does not know who it is


@pytest.mark.parametrize(("title", "said"), [("Final project", "'Final'"), ("Homework 1 (12345)", "")])
def test_a_title_that_canvas_may_take_for_a_column_of_its_own_is_said(course, title, said):
    remarks: list[str] = []
    export.export(Course(course), ATTENTION, "canvas", title, remarks=remarks)
    assert remarks == ([f"Canvas may ignore the column {title!r}, because of {said}."] if said else [])


def test_a_list_from_canvas_comes_back_with_canvas_own_ids(course):
    (course / "extensions.csv").unlink()
    head = "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
    (course / "students.csv").write_text(head + '"Lovelace, Ada",2001,sis-1,s1,CS-1\n')
    assert read(course, "canvas")[2] == ["Lovelace, Ada", "2001", "sis-1", "s1", "CS-1", "1.83"]


def test_moodle_maps_users_by_address_or_number(course):
    rows = list(csv.DictReader(io.StringIO(export.export(Course(course), ATTENTION, "moodle"), newline="")))
    by_number = {row["ID number"]: row for row in rows}
    assert list(rows[0]) == ["First name", "Last name", "ID number", "Email address", "attention"]
    assert set(by_number) == {"s1", "s2", "s3", "s5"}
    assert by_number["s1"]["Email address"] == "ada@uni.edu" and by_number["s1"]["attention"] == "1.83"
    assert by_number["s2"]["Last name"] == "O’Brien, Jr."
    assert by_number["s3"]["attention"] == by_number["s5"]["attention"] == ""


def test_plain_table_holds_everybody_and_says_what_waits(course):
    rows = list(csv.DictReader(io.StringIO(export.export(Course(course), ATTENTION, "csv"), newline="")))
    assert [row["id"] for row in rows] == ["s1", "s2", "s3", "s4", "s5"]
    assert [row["state"] for row in rows] == ["graded", "waits", "excused", "not handed in", "excused"]
    by_id = {row["id"]: row for row in rows}
    ada = by_id["s1"]
    assert (ada[CELLS[0].name], ada[CELLS[1].name], ada["penalty"]) == ("2", "0.33", "0.5")
    assert [row["max_points"] for row in rows] == [f"{MOST:g}"] * 5
    for student in ("s3", "s4", "s5"):
        assert set(list(by_id[student].values())[5:]) == {"", f"{MOST:g}"}


def test_no_field_is_a_formula(course):
    for system in export.SYSTEMS:
        for row in read(course, system):
            assert not any(field.startswith(("=", "+", "@")) for field in row)
    assert "'=cmd|calc" in export.export(Course(course), ATTENTION, "csv")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        *((0, "0"), (2.0, "2"), (1 / 3, "0.33"), (2 / 3, "0.67"), (-1.5, "-1.5"), (0.004, "0"), (0.006, "0.01")),
        *((99_999, "99999"), (100_000, "100000.00"), (1_234_567.891, "1234567.89")),
    ],
)
def test_points_have_two_decimals_at_most_and_no_exponent(number, text):
    assert export.points(number) == text


def test_a_negative_mark_is_a_number_and_a_text_that_looks_like_one_is_none(course, monkeypatch):
    """With nbgrader's extra credit a question may take points away."""
    (course / "students.csv").write_text("id,first_name,last_name,email\ns1,-Ada,-1+1,+49 30 1\n")
    (course / "extensions.csv").unlink()
    marks = StudentMarks({CELLS[0].grade_id: -1.5, CELLS[1].grade_id: 4.0}, penalty=0.25, seconds_late=540_000)
    monkeypatch.setattr(roll, "standings", lambda course, lesson_name: {"s1": marks})
    ada, *_ = csv.DictReader(io.StringIO(export.export(Course(course), ATTENTION, "csv"), newline=""))
    assert (ada[CELLS[0].name], ada[CELLS[1].name], ada[CELLS[2].name]) == ("-1.5", "4", "0")
    assert (ada["points"], ada["penalty"], ada["hours_late"], ada["waiting"]) == ("2.25", "0.25", "150", "0")
    assert (ada["first_name"], ada["last_name"], ada["email"]) == ("'-Ada", "'-1+1", "'+49 30 1")


@pytest.mark.parametrize("sign", list(spreadsheet.FORMULA))
def test_a_sign_that_begins_a_formula_is_made_harmless(course, sign):
    """A field must not begin with a character that OWASP lists for CSV injection: = + - @, tab and carriage return."""
    assert {"=", "+", "-", "@", "\t", "\r"} == set(spreadsheet.FORMULA)
    assert spreadsheet.harmless(f"{sign}x") == f"'{sign}x" and spreadsheet.harmless(f"x{sign}") == f"x{sign}"


def test_a_student_of_one_name_is_called_by_the_id(course):
    (course / "students.csv").write_text("id,first_name,last_name,email\ns1,Ada,,\ns2,,Lovelace,\n")
    (course / "extensions.csv").unlink()
    assert [row[0] for row in read(course, "canvas")[2:]] == ["s1", "s2"]


def test_waiting_answers_are_counted_and_have_no_points(course):
    rows = {
        row["id"]: row
        for row in csv.DictReader(io.StringIO(export.export(Course(course), ATTENTION, "csv"), newline=""))
    }
    essay = next(cell.name for cell in CELLS if cell.role == "essay")
    assert (rows["s2"]["waiting"], rows["s2"][essay], rows["s2"]["points"]) == ("1", "", "1")
    assert (rows["s1"]["waiting"], rows["s1"][essay]) == ("0", "0")


def test_before_grading_there_are_no_marks(course, monkeypatch):
    """Though some are excused already."""
    monkeypatch.setattr(roll, "standings", lambda course, lesson_name: {})
    with pytest.raises(GradingError, match="Nothing is graded yet; run: workbook grade attention"):
        export.export(Course(course), ATTENTION, "canvas")


def test_an_unknown_system_is_one_sentence(course):
    with pytest.raises(GradingError, match="choose one of: csv, moodle, canvas"):
        export.export(Course(course), ATTENTION, "blackboard")


def test_names_with_commas_quotation_marks_and_other_scripts_are_read_back_as_they_are(course, monkeypatch):
    names = {"s1": ("Ann", 'O\'Neil, "x"'), "sé2": ("José", "García;Cruz"), "李3": ("明", "李")}
    people = io.StringIO()
    writer = csv.writer(people)
    writer.writerow(["id", "first_name", "last_name", "section"])
    writer.writerows([one, *name, "A, 1"] for one, name in names.items())
    (course / "students.csv").write_text(people.getvalue(), encoding="utf-8")
    (course / "extensions.csv").unlink()
    marks = {student: StudentMarks({CELLS[0].grade_id: 1.0}) for student in names}
    monkeypatch.setattr(roll, "standings", lambda *asked: marks)
    plain, moodle, canvas = (read(course, system) for system in ("csv", "moodle", "canvas"))
    assert {row[0]: (row[1], row[2]) for row in plain[1:]} == names
    assert {row[2]: (row[0], row[1]) for row in moodle[1:]} == names
    assert {row[2]: row[0] for row in canvas[2:]} == {one: f"{last}, {first}" for one, (first, last) in names.items()}
    assert {row[4] for row in canvas[2:]} == {"A, 1"} and {row[3] for row in canvas[2:]} == set(names)


def test_lines_end_as_spreadsheets_want_them(course):
    text = export.export(Course(course), ATTENTION, "canvas")
    assert text.count("\r\n") == text.count("\n") == 2 + 4


@pytest.mark.parametrize(("language", "mark"), [("fr", "1,83"), ("de", "1,83"), ("zh", "1.83")])
def test_excel_opens_the_plain_table_in_the_language_of_the_course(course, language, mark):
    text = export.export(Course(course), ATTENTION, "csv", language=language)
    assert text.startswith("\ufeffid") and export.export(Course(course), ATTENTION, "csv").startswith("id,")
    ada, *_ = csv.DictReader(io.StringIO(text[1:], newline=""), delimiter="," if language == "zh" else ";")
    assert ada["points"] == mark and ada["email"] == "ada@uni.edu"


def test_a_scale_multiplies_every_mark_and_no_question(course):
    rows = csv.DictReader(io.StringIO(export.export(Course(course), ATTENTION, "csv", out_of=MOST / 3), newline=""))
    ada = next(row for row in rows if row["id"] == "s1")
    assert (ada["points"], ada[CELLS[0].name], ada["max_points"]) == ("1.83", "2", f"{MOST:g}")
    assert ada[f"of_{export.points(MOST / 3)}"] == "0.61"


def test_what_is_asked_for_counts_before_the_courses_file_and_that_before_the_lesson(course):
    (course / "course.toml").write_text('[attention]\ntitle = "From the file"\nout_of = 20\n')
    heads = [
        list(csv.reader(io.StringIO(export.export(Course(course), ATTENTION, "canvas", *asked))))[0:2]
        for asked in ((), ("Asked",), ("Asked", 50.0))
    ]
    assert [(head[-1], possible[-1]) for head, possible in heads] == [
        ("From the file", "20"),
        ("Asked", "20"),
        ("Asked", "50"),
    ]


def test_a_lesson_without_points_has_marks_all_the_same(course, monkeypatch):
    monkeypatch.setattr(roll, "standings", lambda *asked: {"s1": StudentMarks({"x": 1.0})})
    free = Lesson("attention", (), WORKBOOK, ())
    rows = list(csv.reader(io.StringIO(export.export(Course(course), free, "canvas"))))
    assert rows[1][-1] == "0" and rows[2][-1] == "1"


@pytest.mark.parametrize("field", ["-1.5", "+3", "-1e3", "=", "", "1", "-nan"])
def test_numbers_are_not_taken_for_formulas(field):
    assert spreadsheet.harmless(field) == ("'=" if field == "=" else field)
