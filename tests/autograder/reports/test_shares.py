"""Questions that not every student was asked: their numbers, and the remark that all earned the same."""

from io import StringIO

import pytest
from rich.console import Console

from autograder.common.course import WORKBOOK, Course
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.lesson.text import Cell, Lesson
from autograder.reports import terminal

TINY = Lesson("tiny", (Cell("test", "old", 2.0, "code", ""), Cell("test", "new", 2.0, "code", "")), WORKBOOK, ())


def printed(tmp_path, monkeypatch, books: dict[str, StudentMarks]) -> str:
    text = StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=250, soft_wrap=False))
    monkeypatch.setattr(roll, "standings", lambda *asked: books)
    terminal.print_questions(Course(tmp_path), TINY)
    return text.getvalue()


@pytest.mark.parametrize(("other", "same"), [(1.0, True), (2.0, False)])
def test_a_question_that_was_added_later_is_judged_by_those_who_were_asked(tmp_path, monkeypatch, other, same):
    books = {
        "ada": StudentMarks({"test_old": 2.0, "test_new": 1.0}),
        "bob": StudentMarks({"test_old": 0.0}),
        "cyd": StudentMarks({"test_old": 1.0, "test_new": other}),
    }
    (line,) = [line for line in printed(tmp_path, monkeypatch, books).splitlines() if "│ new" in line]
    assert ("same marks for all" in line) is same
    assert f"{(1 + other) / 2:.1f}/2" in line


def test_mistakes_are_named_in_the_order_of_names_if_as_many_made_them(tmp_path, monkeypatch):
    """So that the table is the same after each grading, in whatever order students were graded."""
    books = {name: StudentMarks({"test_old": 0.0, "test_new": 2.0}) for name in ("zoe", "ada")}
    logs = {"zoe": "by_zoe", "ada": "by_ada"}

    def log(course, lesson, student: str) -> dict:
        return {"questions": [{"id": "test_old", "tests": [{"mistake": logs[student]}]}]}

    monkeypatch.setattr(terminal, "read_log", log)
    assert "by_ada (1), by_zoe (1)" in printed(tmp_path, monkeypatch, books)
