"""What `grade` prints: new marks with their reasons, and the class in a few lines."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from autograder.common import sentences
from autograder.common.course import WORKBOOK, Course
from autograder.common.version import workbook_version
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.summary import RunSummary
from autograder.lesson.text import Cell, Lesson
from autograder.reports import after_grading, terminal
from tests.helpers.languages import english_lines

TESTS = (Cell("test", "one", 4.0, "code", ""), Cell("test", "two", 2.0, "code", ""))
TINY = Lesson("tiny", (*TESTS, Cell("essay", "essay", 4.0, "markdown", "")), WORKBOOK, ())
ALL = {"test_one": 4.0, "test_two": 2.0, "essay": 1.5}
WORDS = "a reason of many words " * 20


def question(name: str, points: float, most: float, reason: str) -> dict:
    test = {"passed": points == most, "reason": reason, "mistake": None}
    return {"id": name, "points": points, "max_points": most, "tests": [test]}


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    books = {
        "ada": StudentMarks(dict(ALL)),
        "bob": StudentMarks({"test_one": 0.0, "test_two": 0.0, "essay": 0.0}, penalty=0.0, no_time=True),
        "cyd": StudentMarks({"test_one": 2.0, "test_two": 2.0}, {"essay"}, penalty=0.5, seconds_late=5400),
        "dan": StudentMarks({"test_one": 0.0}, {"test_one"}),
        "eve": StudentMarks(dict(ALL)),
    }
    logs = {
        "ada": {"version": "0.0.1"},
        "bob": {
            "version": workbook_version(),
            "questions": [question("test_one", 0, 4, "nothing yet"), question("test_two", 0, 2, "nothing yet")],
        },
        "cyd": {"questions": [question("test_one", 2, 4, WORDS)], "flags": ["odd [bold]x"], "mended": ["m"]},
        "dan": {"state": "unreadable", "refused": "Your file is cut short."},
    }
    for student, log in logs.items():
        path = tmp_path / ".grading" / "logs" / "tiny" / f"{student}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(log))
    (tmp_path / "students.csv").write_text("id,email\nada,\nbob,\ncyd,\ndan,dan@uni.edu\nfay,\nguy,\n")
    (tmp_path / "extensions.csv").write_text("id,lesson,due,excused\nfay,,,yes\n")
    monkeypatch.setattr(roll, "standings", lambda course, lesson: books)
    return tmp_path


@pytest.fixture
def shown(monkeypatch) -> StringIO:
    text = StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=250, soft_wrap=False))
    return text


def rows(text: StringIO) -> dict[str, list[str]]:
    """The lines of the table, by student."""
    found, last = {}, ""
    for line in text.getvalue().splitlines():
        if line.startswith("│"):
            name, mark, remark = (cell.strip() for cell in line.split("│")[1:-1])
            last = name or last
            found.setdefault(last, [mark]).append(remark)
    return found


def test_new_marks_have_their_reasons_and_the_others_are_counted(shown, course):
    after_grading.print_class(Course(course), TINY, RunSummary(["bob", "cyd"], ["ada", "dan"]))
    table = rows(shown)
    assert set(table) == {"bob", "cyd"}
    assert table["bob"] == ["0", "one 0/4, two 0/2: nothing yet"]
    assert table["cyd"] == ["3.5+", "late by 1.5 h: -0.5", "… and 3 more lines"]
    said = " ".join(shown.getvalue().split())
    assert (
        "Students: 6; 2 graded, mean 3.8 of 10; 1 wait for a person (+); 1 late; 1 flagged (cyd); 1 unreadable; "
        "1 excused; 1 not handed in." in said
    )
    assert "Write to: dan <dan@uni.edu>, unreadable: Your file is cut short." in said
    assert "No penalty, because it is not known when they handed in: bob." in said
    assert "eve" not in said  # not in students.csv: no mark, no mean
    assert f"Graded by the workbook {workbook_version()}." in said
    unchanged = "nothing that they depend on has changed since."
    assert f"Marks given by 0.0.1: 1; {unchanged}" in said
    assert f"Marks given by an older version: 2; {unchanged}" in said  # cyd's and dan's say none


def test_all_of_everybody_is_listed_when_asked_and_reasons_end_at_a_word(shown, course):
    after_grading.print_class(Course(course), TINY, RunSummary([], ["ada", "bob", "cyd", "dan"]), everybody=True)
    table = rows(shown)
    assert set(table) == {"ada", "bob", "cyd", "dan", "fay"}
    assert table["dan"] == ["unreadable", "Your file is cut short."] and table["fay"] == ["excused", ""]
    _, _, lost, flag, mended = table["cyd"]
    assert re.fullmatch(r"one 2/4: a reason of( many words a reason of)* …|one 2/4: .*(reason|of|many|words|a) …", lost)
    assert len(lost) <= len("one 2/4: ") + after_grading.REASON_WIDTH
    assert (flag, mended) == ("flag: odd [bold]x", "repaired: m")


def test_a_class_of_300_fits_on_a_screen(shown, course, monkeypatch):
    names = [f"s{number}" for number in range(300)]
    (course / "students.csv").write_text("id\n" + "\n".join(names))
    (course / "extensions.csv").unlink()
    books = {name: StudentMarks({"essay": 1.0}) for name in names}
    monkeypatch.setattr(roll, "standings", lambda course, lesson: books)
    moved = dict.fromkeys(names, (2.0, 1.0))
    after_grading.print_class(Course(course), TINY, RunSummary(names, strangers=names[:20], moved=moved))
    said = shown.getvalue()
    assert "… and 290 more that are new: `workbook grade tiny --all` lists everybody." in said
    assert "s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, … (20 in all)" in said
    assert "… of 300 marks that changed; --all lists them" in said
    assert len(said.splitlines()) < 40


def test_a_wide_name_takes_no_room_from_the_reasons(shown, course, monkeypatch):
    """On a terminal of eighty columns the name is folded, whole."""
    wide = "x" * 190
    (course / "students.csv").write_text(f"id\n{wide}\nbob\n")
    (course / "extensions.csv").unlink()
    books = {name: StudentMarks({"essay": 0.0}) for name in (wide, "bob")}
    monkeypatch.setattr(roll, "standings", lambda *asked: books)
    monkeypatch.setattr(terminal, "console", Console(file=shown, width=80, soft_wrap=False))
    after_grading.print_class(Course(course), TINY, RunSummary([wide, "bob"]))
    lines = [line.split("│")[1:-1] for line in shown.getvalue().splitlines() if line.startswith("│")]
    assert "".join(line[0].strip() for line in lines) == f"bob{wide}"
    assert {len(line[2]) for line in lines} == {35}


def test_a_course_without_a_list_takes_everybody_who_handed_in(course):
    (course / "students.csv").unlink()
    (course / "extensions.csv").unlink()
    found = roll.roll_of(Course(course), "tiny")
    assert set(found.members) == {"ada", "bob", "cyd", "dan", "eve"} and found.strangers == []


def test_a_person_who_settles_the_mark_of_an_unreadable_file_ends_its_state(course, monkeypatch):
    monkeypatch.setattr(roll, "standings", lambda *asked: {"dan": StudentMarks({"test_one": 1.0})})
    dan = roll.roll_of(Course(course), "tiny").members["dan"]
    assert dan.state == "graded" and dan.marks.total == 1.0


def test_a_french_course_is_summed_up_in_french(shown, course):
    sentences.speak("fr")
    summary = RunSummary(
        ["bob", "cyd"], ["ada", "dan"], {"hal": "x"}, ["stranger"], {"ada": "y"}, moved={"ada": (1.5, 2)}
    )
    after_grading.print_class(Course(course), TINY, summary)
    assert rows(shown)["cyd"][0] == "3,5+" and "points perdus" in shown.getvalue()
    said = shown.getvalue().replace(WORDS.strip()[:60], "").replace("\u00a0", " ")
    assert "Note modifiée : ada 1,5 → 2" in said and "notés : 2, moyenne 3,8 sur 10" in said
    for reason in ("a reason of many words", "nothing yet", "Your file is cut short."):
        said = said.replace(reason, "")
    assert english_lines([said]) == []
