"""Feedback and marks go back: the zips and the worksheet are read here as Moodle and Canvas read them."""

import csv
import io
import json
import re
import zipfile
from pathlib import Path

import nbformat
import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.common.paths import zipped
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.intake.places import Place, note_places
from autograder.lesson.text import Lesson
from autograder.reports import export, give_back

ATTENTION = Lesson.load("attention", WORKBOOK)
MOST = sum(cell.points for cell in ATTENTION.of_role("test", "essay"))
PAGE = "<html><head><style>table.marks {{ x: y }}</style></head><body class='a'><h1>24 / 40, {}</h1></body></html>"
PLACES = {
    "ada": Place("moodle", "Ada Lovelace_4711_assignsubmission_file_"),
    "bob": Place("moodle", "Bob Groß_4712_assignsubmission_file_attention.ipynb"),
    "grace": Place("canvas", "hoppergrace_LATE_77_888888_attention-1.ipynb"),
    "linus": Place("blackboard", "attention_linus_attempt_2026-11-20-13-45-10_attention.ipynb"),
}
WORKSHEET = (
    "Identifier,Full name,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade)\r\n"
    'Participant 4711,Ada Lovelace,Submitted,,20.00,"Friday, 20 November 2026, 1:45 PM",-\r\n'
    'Participant 4712,Bob Groß,Submitted,7.00,20.00,"Friday, 20 November 2026, 1:45 PM",-\r\n'
    "Participant 4799,Somebody Else,No submission,,20.00,-,-\r\n"
)


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    books = {name: StudentMarks({"test_loss": MOST / 2}, max_score=MOST) for name in ("ada", "grace", "linus")}
    books["bob"] = StudentMarks({"test_loss": MOST}, max_score=MOST)
    monkeypatch.setattr(roll, "standings", lambda course, lesson: books)
    for name in books:
        page = tmp_path / "feedback" / name / "attention" / "attention.html"
        page.parent.mkdir(parents=True)
        page.write_text(PAGE.format(name), encoding="utf-8")
    note_places(Course(tmp_path), "attention", PLACES)
    return tmp_path


def opened(content: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(content))


def as_moodle(path: str) -> tuple[int, str] | None:
    """The participant and the file's name, as importziplib.php's `is_valid_filename_for_import` finds them."""
    parts = path.split("/")
    if parts[-1].startswith((".", "~")):
        return None
    while parts:
        info = parts.pop(0).split("_", 4)
        if len(info) >= 4 and info[1].isnumeric() and info[2:4] == ["assignsubmission", "file"]:
            return int(info[1]), "/".join([*info[4:], *parts]).lstrip("/")
    return None


def as_canvas(path: str) -> tuple[int, int] | None:
    """The user and the attachment, as assignment.rb's `infer_comment_context_from_filename` finds them."""
    parts = Path(path).name.split("_")
    numbers = [part for part in parts if re.fullmatch(r"\d+", part)][:2]
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and not parts[-1].startswith("link") else None


def test_moodle_finds_each_student_by_its_number(course):
    made = give_back.feedback_zip(Course(course), ATTENTION, "moodle")
    assert (made.number, made.others) == (2, ["grace", "linus"])
    with opened(made.content) as archive:
        found = {as_moodle(name): archive.read(name).decode() for name in archive.namelist()}
    assert set(found) == {(4711, "attention-feedback.html"), (4712, "attention-feedback.html")}
    assert found[4711, "attention-feedback.html"] == PAGE.format("ada")


def test_canvas_finds_user_and_file_and_gets_a_notebook_as_it_handed_out(course):
    made = give_back.feedback_zip(Course(course), ATTENTION, "canvas")
    with opened(made.content) as archive:
        (name,) = archive.namelist()
        notebook = nbformat.reads(archive.read(name).decode(), as_version=4)
    assert as_canvas(name) == (77, 888888) and name.endswith(".ipynb")
    nbformat.validate(notebook)
    shown = notebook.cells[0].outputs[0]["data"]["text/html"]
    assert "<h1>24 / 40, grace</h1>" in shown and "table.marks" in shown and "<body" not in shown


def test_the_same_feedback_is_the_same_zip_and_an_unknown_platform_is_one_sentence(course):
    first, again = (give_back.feedback_zip(Course(course), ATTENTION, "moodle").content for _ in range(2))
    assert first == again
    with pytest.raises(GradingError, match="choose one of: moodle, canvas, blackboard, mail"):
        give_back.feedback_zip(Course(course), ATTENTION, "sakai")
    (course / ".grading" / "places" / "attention.json").write_text(json.dumps({}))
    with pytest.raises(GradingError, match="type `workbook collect attention`"):
        give_back.feedback_zip(Course(course), ATTENTION, "canvas")


def rows(course: Path, system: str, **wanted: object) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(export.export(Course(course), ATTENTION, system, **wanted), newline="")))


def test_moodles_worksheet_comes_back_with_grades_and_nothing_else_changed(course):
    path = course / "downloaded" / "attention" / "archive" / "Grades-CS101.csv"
    path.parent.mkdir(parents=True)
    path.write_text(WORKSHEET, encoding="utf-8-sig")
    before = list(csv.DictReader(io.StringIO(WORKSHEET)))
    after = rows(course, "moodle", out_of=20)
    assert [row["Grade"] for row in after] == ["10", "20", ""]
    assert [row | {"Grade": ""} for row in after] == [row | {"Grade": ""} for row in before]


def test_marks_have_the_assignments_title_and_scale(course):
    (course / "course.toml").write_text('[attention]\ntitle = "Devoir 1 (4242)"\nout_of = 20\n')
    header, possible, *marks = csv.reader(io.StringIO(export.export(Course(course), ATTENTION, "canvas"), newline=""))
    assert header[-1] == "Devoir 1 (4242)" and possible[-1] == "20"
    assert {row[2]: row[-1] for row in marks} == {"ada": "10", "bob": "20", "grace": "10", "linus": "10"}
    assert {row["id"]: row["of_20"] for row in rows(course, "csv")}["bob"] == "20"
    assert rows(course, "moodle", title="Homework", out_of=100)[1]["Homework"] == "100"


def worksheet(course: Path, text: str, name: str = "Grades-CS101.csv") -> None:
    path = course / "downloaded" / "attention" / "archive" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_rows_of_a_worksheet_that_name_nobody_stay_as_they_are(course):
    head, first, *_ = WORKSHEET.splitlines()
    odd = ["Nobody,Without Number,-,1.00", "Participant 4712", "", 'Participant 4713,"O\'Neil, ""x""",-,2.00,20.00,-,-']
    worksheet(course, "\r\n".join([head, *odd, first]) + "\r\n")
    *before, _ = csv.reader(io.StringIO("\r\n".join([head, *odd, first])))
    *after, ada = csv.reader(io.StringIO(export.export(Course(course), ATTENTION, "moodle", out_of=20), newline=""))
    assert after == before and ada[3] == "10"


def test_another_table_beside_a_worksheet_is_passed_over_and_one_in_a_folder_is_a_students(course):
    worksheet(course, "", "a-empty.csv")
    worksheet(course, "Identifier,Status\r\nParticipant 4711,x\r\n", "a-other.csv")
    worksheet(course, WORKSHEET, "b.csv")
    worksheet(
        course, WORKSHEET.replace("Ada Lovelace", "=HYPERLINK(1)"), "Ada Lovelace_4711_assignsubmission_file_/0.csv"
    )
    assert rows(course, "moodle")[0]["Full name"] == "Ada Lovelace"
    assert next(iter(rows(course, "csv")[0])) == "id"  # for Moodle alone


def test_a_name_in_a_worksheet_that_is_a_formula_is_made_harmless(course):
    worksheet(course, WORKSHEET.replace("Ada Lovelace", "=HYPERLINK(1)"))
    assert rows(course, "moodle")[0]["Full name"] == "'=HYPERLINK(1)"


def test_without_a_worksheet_moodle_gets_a_table_of_users(course):
    worksheet(course, WORKSHEET, "Ada Lovelace_4711_assignsubmission_file_/0.csv")
    assert {row["ID number"] for row in rows(course, "moodle")} == {"ada", "bob", "grace", "linus"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Identifier,Status\r\nParticipant 4711,x\r\n", "not a grading worksheet with columns 'Identifier'"),
        ("Identifier,Scale,Last modified (submission)\r\n", "has no column 'Grade' .its assignment is graded by words"),
        ("Identyfikator,Ocena\r\nUczestnik 4711,-\r\n", "not a grading worksheet"),
    ],
)
def test_a_worksheet_that_cannot_be_filled_is_one_sentence_and_no_other_table(course, text, why):
    worksheet(course, text)
    with pytest.raises(GradingError, match=f"Nothing was written: Grades-CS101.csv, beside the archive, .*{why}"):
        rows(course, "moodle")


def test_a_worksheet_that_a_spreadsheet_saved_in_its_own_form_is_not_passed_over(course):
    worksheet(course, "PK", "Grades-CS101.xlsx")
    with pytest.raises(GradingError, match=r"Nothing was written: Grades-CS101.xlsx, .* save it as CSV"):
        rows(course, "moodle")
    worksheet(course, WORKSHEET)
    assert rows(course, "moodle")[0]["Grade"] == "10"


# As Moodle writes it in each language, or a spreadsheet after it.
SHEETS = {
    "us": "Identifier,Full name,Grade,Maximum grade,Last modified (submission)\nParticipant {},Ada,-,20.00,"
    '"Friday, November 20, 2026, 1:45 PM"\n',
    "excel": "sep=;\nIdentifier;Full name;Grade;Maximum Grade;Last modified (submission)\nParticipant {};Ada;-;20,00;"
    "20/11/2026 13:45\n",
    "fr": 'Identifiant,"Nom complet",Statut,Note,"Note maximale","Dernière modification (travail remis)"\n'
    'Participant{},Ada,Remis,,"20,00","vendredi 20 novembre 2026, 13:45"\n',
    "de": 'ID,"Vollständiger Name",Status,Bewertung,Bestwertung,"Zuletzt geändert (Abgabe)"\n'
    'Teilnehmer/in{},Ada,Abgegeben,,"20,00","Freitag, 20. November 2026, 13:45"\n',
    "zh": "标识符,全名,状态,成绩,最高分,上次修改（作业）\n参与人{},Ada,已提交,,20.00,2026年11月20日 星期五 13:45\n",
}


@pytest.mark.parametrize("language", SHEETS)
def test_a_worksheet_is_filled_in_each_language_separator_and_order_of_dates(course, language):
    worksheet(course, SHEETS[language].format(4711))
    text = export.export(Course(course), ATTENTION, "moodle", remarks=(remarks := []))
    head, ada = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    grade = next(i for i, name in enumerate(head) if name in ("Grade", "Note", "Bewertung", "成绩"))
    assert ada[grade] == "10" and ada[0].endswith("4711")  # half of the worksheet's 20
    assert remarks[0] == "Marks are out of 20, the worksheet's maximum grade."


def test_who_has_a_mark_and_no_row_is_named_and_a_row_is_found_by_address_as_well(course):
    people = "id,email,first_name,last_name\nada,,,\nbob,,,\ngrace,grace@uni.edu,,\nlinus,,Linus,O'Neil\n"
    (course / "students.csv").write_text(people)
    head = "Identifier,Full name,Email address,Grade,Maximum Grade\n"
    worksheet(
        course, head + "Participant 4711,A,,,20\nParticipant 5,B,grace@uni.edu,,20\nParticipant 6,Linus ONeil,,,20\n"
    )
    text = export.export(Course(course), ATTENTION, "moodle", remarks=(remarks := []))
    assert [row["Grade"] for row in csv.DictReader(io.StringIO(text, newline=""))] == ["10", "10", "10"]
    assert remarks[1] == "1 of the class have a mark but no row in the worksheet: bob."


def test_a_name_that_somebody_else_has_in_the_worksheet_as_well_earns_nothing(course):
    (course / "students.csv").write_text(
        "id,first_name,last_name,email\nada,Ada,Byron,\ngrace,Grace,Hopper,g@uni.edu\n"
    )
    head = "Identifier,Full name,Email address,Grade,Maximum Grade\n"
    other, hoppers = (
        "Participant 5,Ada Byron,,,20\n",
        "Participant 6,Grace Hopper,,,20\nParticipant 7,G,g@uni.edu,,20\n",
    )
    worksheet(course, head + "Participant 4711,Ada Byron,,,20\n" + other + hoppers)
    assert [row["Grade"] for row in rows(course, "moodle")] == ["10", "", "", "10"]
    worksheet(course, head + other + other.replace("5", "8"))
    assert [row["Grade"] for row in rows(course, "moodle")] == ["", ""]


def test_a_scale_that_is_not_the_worksheets_is_one_sentence(course):
    worksheet(course, WORKSHEET)
    with pytest.raises(GradingError, match="the worksheet's maximum grade is 20, the marks are out of 100"):
        rows(course, "moodle", out_of=100)


def test_worksheets_of_two_groups_are_filled_as_one_and_those_that_contradict_are_refused(course):
    head, ada, bob, _ = WORKSHEET.splitlines(keepends=True)
    worksheet(course, head + ada, "a.csv")
    worksheet(course, head + bob + ada, "b.csv")
    assert [row["Grade"] for row in rows(course, "moodle")] == ["10", "20"]
    worksheet(course, head + bob + ada.replace("1:45 PM", "2:45 PM"), "b.csv")
    with pytest.raises(GradingError, match=r"a\.csv and b\.csv contradict each other; leave the one that counts"):
        rows(course, "moodle")


def test_a_student_without_a_place_on_the_platform_is_in_no_worksheet(course):
    (course / ".grading" / "places" / "attention.json").write_text(
        json.dumps({"ada": {"platform": "moodle", "name": "by hand"}, "bob": vars(PLACES["bob"])})
    )
    worksheet(course, WORKSHEET)
    assert [row["Grade"] for row in rows(course, "moodle", out_of=20)] == ["", "20", ""]


@pytest.mark.parametrize("page", ["<h1>24</h1>", "<html><body>\n<h1>24</h1>\n</body></html>"])
def test_a_page_is_shown_with_or_without_its_frame(page):
    shown = give_back.as_notebook(page).cells[0].outputs[0]["data"]["text/html"]
    assert shown.strip() == "<h1>24</h1>"


def test_of_a_pages_styles_those_of_the_table_of_marks_go_along():
    page = "<style>body { x }</style><style>table.marks { y }</style><body>b</body>"
    assert give_back.as_notebook(page).cells[0].outputs[0]["data"]["text/html"] == "<style>table.marks { y }</style>b"


def test_who_has_a_page_and_no_place_is_named_and_who_has_no_page_is_not(course):
    (course / "feedback" / "linus" / "attention" / "attention.html").unlink()
    made = give_back.feedback_zip(Course(course), ATTENTION, "moodle")
    assert (made.number, made.others) == (2, ["grace"])


def test_files_of_a_zip_are_in_the_order_of_their_names():
    with opened(zipped({"b": b"2", "a": b"1"})) as archive:
        assert archive.namelist() == ["a", "b"] and archive.read("b") == b"2"


def test_an_excused_students_page_goes_back_and_a_strangers_does_not(course):
    (course / "students.csv").write_text("id\nada\nbob\n")
    (course / "extensions.csv").write_text("id,lesson,due,excused\nbob,,,yes\n")
    made = give_back.feedback_zip(Course(course), ATTENTION, "moodle")
    assert (made.number, made.others) == (2, [])


# ---- nobody is left without a way back ----


def test_blackboards_pages_have_the_names_of_its_download(course):
    made = give_back.feedback_zip(Course(course), ATTENTION, "blackboard")
    with opened(made.content) as archive:
        (name,) = archive.namelist()
        assert archive.read(name).decode() == PAGE.format("linus")
    assert name == "attention_linus_attempt_2026-11-20-13-45-10_attention-feedback.html"


def test_each_page_goes_back_by_one_way_and_mail_takes_those_that_are_left(course):
    handed_in = {"eve": "by the exchange", "fay": "by mail", "guy": "by ilias", "hal": "with a group"}
    (course / "students.csv").write_text(
        "id,first_name,last_name,email\nada,,,\nbob,,,\ngrace,,,\nlinus,,,\neve,,,\n"
        "fay,Fay,Young,fay@uni.edu\nguy,Guy,Fox,\nhal,,,hal@uni.edu\n"
    )
    roll.standings(None, "").update({name: StudentMarks({"test_loss": 1.0}, max_score=MOST) for name in handed_in})
    for name in handed_in:
        page = course / "feedback" / name / "attention" / "attention.html"
        page.parent.mkdir(parents=True)
        page.write_text(PAGE.format(name), encoding="utf-8")
    secret = course / "submitted" / "eve" / "attention" / "submission_secret.txt"
    secret.parent.mkdir(parents=True)
    secret.write_text("0123456789abcdef" * 8)
    note_places(Course(course), "attention", {"guy": Place("ilias", "x"), "hal": Place("moodle", "", "Group_A_12")})
    ways = give_back.ways(Course(course), ATTENTION)
    assert ways == {
        "ada": "moodle",
        "bob": "moodle",
        "grace": "canvas",
        "linus": "blackboard",
        "eve": "the exchange",
        "fay": "mail",
        "guy": "mail",
        "hal": "mail",
    }
    folder = course / "attention-feedback-mail"
    (folder / "old.html").parent.mkdir()
    (folder / "old.html").touch()
    assert give_back.to_mail(Course(course), ATTENTION, folder) == ["fay", "guy", "hal"]
    assert {path.name for path in folder.iterdir()} == {"addresses.csv", "fay.html", "guy.html", "hal.html"}
    assert (folder / "addresses.csv").read_text().splitlines() == [
        "id,name,email,file",
        "fay,Fay Young,fay@uni.edu,fay.html",
        "guy,Guy Fox,,guy.html",
        "hal,,hal@uni.edu,hal.html",
    ]


def test_nothing_by_mail_is_one_sentence(course):
    with pytest.raises(GradingError, match="No feedback of attention has to be sent by mail"):
        give_back.to_mail(Course(course), ATTENTION, course / "mail")
