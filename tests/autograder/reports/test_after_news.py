"""What `grade` prints above the marks: what needs a person, which marks moved and why, who was left out."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from autograder.common.course import WORKBOOK, Course
from autograder.common.version import workbook_version
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.summary import RunSummary
from autograder.lesson.text import Cell, Lesson
from autograder.reports import after_grading, terminal

TINY = Lesson("tiny", (Cell("test", "one", 4.0, "code", ""), Cell("essay", "essay", 6.0, "markdown", "")), WORKBOOK, ())


@pytest.fixture
def said(monkeypatch) -> StringIO:
    text = StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=200, soft_wrap=False))
    return text


@pytest.fixture
def books(monkeypatch) -> dict[str, StudentMarks]:
    """The gradebook's marks; a test adds to them."""
    found: dict[str, StudentMarks] = {}
    monkeypatch.setattr(roll, "standings", lambda course, lesson: found)
    return found


def log(course: Path, student: str, **told) -> None:
    path = course / ".grading" / "logs" / "tiny" / f"{student}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": workbook_version()} | told))


def printed(said: StringIO, course: Path, done: RunSummary, **asked) -> list[str]:
    after_grading.print_class(Course(course), TINY, done, **asked)
    return said.getvalue().splitlines()


def test_a_run_with_nothing_new_says_so_and_counts_the_unchanged(said, books, tmp_path):
    books["ada"] = StudentMarks({"test_one": 2.0})
    log(tmp_path, "ada")
    assert printed(said, tmp_path, RunSummary([], ["ada"])) == [
        "tiny: nothing new, 1 unchanged.",
        "Students: 1; 1 graded, mean 2.0 of 10.",
        f"Graded by the workbook {workbook_version()}.",
    ]


def test_an_empty_class_has_no_mean(said, books, tmp_path):
    assert printed(said, tmp_path, RunSummary()) == [
        "tiny: nothing new, 0 unchanged.",
        "Students: 0; 0 graded.",
        f"Graded by the workbook {workbook_version()}.",
    ]


def test_marks_that_moved_are_named_in_the_order_of_names_with_the_reason_if_there_is_one(said, books, tmp_path):
    done = RunSummary(
        moved={"zoe": (2.0, 1.5), "a[b]": (1.0, 2.25)}, moved_by={"zoe": "other points: x 2 → 1", "a[b]": ""}
    )
    lines = printed(said, tmp_path, done)
    assert lines[:2] == ["Mark changed: a[b] 1 → 2.25", "Mark changed: zoe 2 → 1.5 (other points: x 2 → 1)"]


@pytest.mark.parametrize(("number", "left"), [(12, None), (13, 1)])
def test_a_dozen_moved_marks_are_named_and_the_others_counted(said, books, tmp_path, number, left):
    lines = printed(said, tmp_path, RunSummary(moved={f"s{n:02}": (1.0, 2.0) for n in range(number)}))
    assert [line.split()[2] for line in lines if line.startswith("Mark changed")] == [f"s{n:02}" for n in range(12)]
    assert any(line.startswith("… of 13 marks that changed") for line in lines) == (left is not None)


def test_strangers_news_and_failures_are_sentences(said, books, tmp_path):
    (tmp_path / "students.csv").write_text("id,email\nada,\nbob,\nlinus,\n")
    books["ada"] = StudentMarks({"test_one": 1.0})
    books["bob"] = StudentMarks({"test_one": 0.0}, {"test_one"})
    log(tmp_path, "bob", state="another lesson", refused="This is the notebook of gpt.")
    done = RunSummary(
        strangers=["x9"],
        news=["Question two was added."],
        failed={"linus": "the sandbox did not start", "bob": "is told above"},
        without_page={"ada": "no room on the disk"},
    )
    lines = printed(said, tmp_path, done)
    assert any(line.startswith("Students: 3; 1 graded, mean 1.0 of 10; 1 ") for line in lines)
    assert (
        "Not graded, because not in students.csv: x9. Write the name into that student's `names`, and type "
        "`workbook collect tiny`; or add a line for the student." in lines
    )
    assert "Question two was added." in lines
    assert "Not graded: linus the sandbox did not start" in lines
    assert "No feedback, marks are safe: ada no room on the disk" in lines


def test_who_hands_in_something_unreadable_is_written_to_and_told_once(said, books, tmp_path):
    (tmp_path / "students.csv").write_text("id,email\nbob,\ncyd,c@uni.edu\n")
    for student in ("bob", "cyd"):
        books[student] = StudentMarks({"test_one": 0.0}, {"test_one"})
        log(tmp_path, student, state="unreadable", refused="It is cut short.")
    lines = printed(said, tmp_path, RunSummary(failed={"bob": "It is cut short."}))
    assert [line for line in lines if "cut short" in line] == [
        "Write to: bob, unreadable: It is cut short.",
        "Write to: cyd <c@uni.edu>, unreadable: It is cut short.",
    ]


def test_versions_of_marks_that_this_run_lost_are_not_counted(said, books, tmp_path):
    for student in ("ada", "bob", "cyd"):
        books[student] = StudentMarks({"test_one": 1.0})
        log(tmp_path, student, version="0.0.1")
    lines = printed(said, tmp_path, RunSummary(failed={"bob": "x"}))
    assert any(line.startswith("Marks given by 0.0.1: 2;") for line in lines)


def test_where_feedback_is_said_once_there_is_some(said, books, tmp_path):
    assert not any(line.startswith("Feedback") for line in printed(said, tmp_path, RunSummary()))
    (tmp_path / "feedback").mkdir()
    assert printed(said, tmp_path, RunSummary())[-1] == f"Feedback: {tmp_path}/feedback/STUDENT/tiny/tiny.html"


def table_rows(lines: list[str]) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]


def questions(*reasons: tuple[str, str]) -> list[dict]:
    """Questions of two points, each lost for a reason; the second failure of a question is not its reason."""
    lost = [{"passed": False, "reason": None, "mistake": None}, {"passed": False, "reason": "later", "mistake": None}]
    return [
        {"id": f"test_{name}", "points": 0.5, "max_points": 2, "tests": [lost[0] | {"reason": reason}, lost[1]]}
        for name, reason in reasons
    ]


@pytest.mark.parametrize(("lost", "shown"), [(2, ["r0", "r1"]), (3, ["r0", "… and 2 more lines"])])
def test_two_lines_of_reasons_are_shown_and_more_are_counted(said, books, tmp_path, lost, shown):
    books["ada"] = StudentMarks({"test_one": 0.5})
    log(tmp_path, "ada", questions=questions(*((f"q{n}", f"r{n}") for n in range(lost))))
    remarks = [row[2] for row in table_rows(printed(said, tmp_path, RunSummary(["ada"])))]
    assert [remark.removeprefix(f"q{n} 0.5/2: ") for n, remark in enumerate(remarks)] == shown


def test_two_flags_and_two_mendings_are_shown_after_what_lateness_and_answers_cost(said, books, tmp_path):
    books["ada"] = StudentMarks({"test_one": 3.0}, penalty=0.25, seconds_late=1800)
    log(tmp_path, "ada", questions=questions(("q", "why")), flags=["f1", "f2", "f3"], mended=["m1", "m2", "m3"])
    (row, *more) = table_rows(printed(said, tmp_path, RunSummary(["ada"]), everybody=True))
    assert row[:2] == ["ada", "2.75"]
    assert [one[2] for one in (row, *more)] == [
        "late by 0.5 h: -0.25",
        "q 0.5/2: why",
        "flag: f1",
        "flag: f2",
        "repaired: m1",
        "repaired: m2",
    ]


def test_late_without_a_penalty_costs_no_line(said, books, tmp_path):
    books["ada"] = StudentMarks({"test_one": 3.0}, seconds_late=1800)
    log(tmp_path, "ada")
    lines = printed(said, tmp_path, RunSummary(["ada"]))
    assert [row[2] for row in table_rows(lines)] == [""] and "Students: 1; 1 graded, mean 3.0 of 10; 1 late." in lines


@pytest.mark.parametrize("number", [10, 11])
def test_ten_new_marks_are_listed_and_others_counted(said, books, tmp_path, number):
    names = [f"s{n:02}" for n in range(number)]
    books |= {name: StudentMarks({"test_one": 1.0}) for name in names}
    lines = printed(said, tmp_path, RunSummary(names))
    assert [row[0] for row in table_rows(lines)] == names[:10]
    more = [line for line in lines if "more that are new" in line]
    assert more == ["… and 1 more that are new: `workbook grade tiny --all` lists everybody."] * (number - 10)


def test_what_needs_a_person_comes_first_then_what_changed_then_the_others_by_name(said, books, tmp_path):
    names = [f"s{n:02}" for n in range(12)]
    books |= {name: StudentMarks({"test_one": 1.0}) for name in names}
    books["s05"] = StudentMarks({"test_one": 0.0}, {"test_one"})
    log(tmp_path, "s05", state="unreadable", refused="It is cut short.")
    log(tmp_path, "s11", flags=["looks around"])
    done = RunSummary(names, news=["Question two was added."], moved={"s08": (2.0, 1.0)}, failed={"s07": "no sandbox"})
    lines = printed(said, tmp_path, done)
    assert lines[:4] == [
        "Write to: s05, unreadable: It is cut short.",
        "Not graded: s07 no sandbox",
        "Question two was added.",
        "Mark changed: s08 2 → 1",
    ]
    shown = [row[0] for row in table_rows(lines) if row[0]]
    assert shown == ["s05", "s11", "s08", "s00", "s01", "s02", "s03", "s04", "s06", "s07"]
    assert any("1 flagged (s11)" in line for line in lines)


def test_everybody_is_listed_without_a_count_of_others(said, books, tmp_path):
    names = [f"s{n:02}" for n in range(12)]
    books |= {name: StudentMarks({"test_one": 1.0}) for name in names}
    lines = printed(said, tmp_path, RunSummary(names), everybody=True)
    assert [row[0] for row in table_rows(lines)] == names and not any("more that" in line for line in lines)


def test_a_mark_that_waits_has_a_plus_and_a_waiting_class_no_mean(said, books, tmp_path):
    books["ada"] = StudentMarks({"test_one": 1 / 3, "essay": 0.0}, {"essay"})
    lines = printed(said, tmp_path, RunSummary(["ada"]))
    assert [row[:2] for row in table_rows(lines)] == [["ada", "0.33+"]]
    assert "Students: 1; 0 graded; 1 wait for a person (+)." in lines


def test_who_is_to_be_graded_is_counted(said, books, tmp_path):
    (tmp_path / "submitted" / "ada" / "tiny").mkdir(parents=True)
    (tmp_path / "submitted" / "ada" / "tiny" / "tiny.ipynb").write_text("{}")
    assert "Students: 1; 0 graded; 1 to grade." in printed(said, tmp_path, RunSummary())
