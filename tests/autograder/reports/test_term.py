"""The term: totals by weights that are computed here by hand; who is excused, missing, waiting, unreadable."""

import csv
import io

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.lesson.text import Lesson
from autograder.reports import term

MOST = {
    name: sum(cell.points for cell in Lesson.load(name, WORKBOOK).of_role("test", "essay"))
    for name in ("attention", "seq2seq")
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    half, full = (StudentMarks({"a": share * MOST["attention"]}) for share in (0.5, 1.0))
    books = {
        "attention": {"ada": full, "bob": half, "cyd": half, "dan": half},
        "seq2seq": {
            "ada": StudentMarks({"a": 0.25 * MOST["seq2seq"]}),
            "cyd": StudentMarks({"a": 0.5 * MOST["seq2seq"]}, {"essay"}),
        },
    }
    monkeypatch.setattr(roll, "standings", lambda course, lesson: books.get(lesson, {}))
    (tmp_path / "students.csv").write_text("id,first_name,last_name\nada,Ada,<b>\nbob,,\ncyd,,\ndan,,\n")
    (tmp_path / "extensions.csv").write_text("id,lesson,due,excused\nbob,seq2seq,,yes\n")
    (tmp_path / "course.toml").write_text('[seq2seq]\nweight = 3\ntitle = "Devoir 2"\n')
    return tmp_path


def test_totals_are_weighted_means_of_the_shares_earned(course):
    page, table = term.write_term(Course(course))
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(table.read_text(encoding="utf-8")))}
    heads = list(rows["ada"])
    assert heads == [
        "id",
        "name",
        f"attention (of {MOST['attention']:g})",
        f"Devoir 2 (of {MOST['seq2seq']:g})",
        "total %",
        "final",
    ]
    assert {name: (row["total %"], row["final"]) for name, row in rows.items()} == {
        "ada": (f"{100 * (1 + 3 * 0.25) / 4:.1f}", "yes"),
        "bob": ("50.0", "yes"),  # excused from the other
        "cyd": ("50.0", "no"),  # an essay waits
        "dan": ("12.5", "yes"),  # the other was not handed in
    }
    assert [rows[name][heads[3]] for name in ("bob", "cyd", "dan")] == [
        "excused",
        f"{MOST['seq2seq'] / 2:g}+",
        "not handed in",
    ]
    html = page.read_text(encoding="utf-8")
    assert "Ada &lt;b&gt;" in html and "captioning" not in html and '<td class="open">50.0 % +</td>' in html


def test_the_lowest_lessons_do_not_count(course):
    (course / "course.toml").write_text("[term]\ndrop_lowest = 1\n[seq2seq]\nweight = 3\n")
    totals = {line.student: line.total for line in term.lines(term.columns(Course(course)), Course(course))}
    assert totals == {"ada": 100, "bob": 50, "cyd": 50, "dan": 50}


@pytest.mark.parametrize(
    ("shares", "dropped", "total"),
    [
        ([(0.5, 1), (0.6, 9), (1.0, 1)], 1, 75.0),  # the heavy 0.6 pulls down more than the light 0.5
        ([(0.0, 1), (0.2, 1), (1.0, 1)], 2, 100.0),
        ([(0.0, 1)], 1, 0.0),  # the last one always counts
        ([(0.0, 1, False), (0.5, 1), (1.0, 1)], 1, 50.0),
        ([], 1, None),
    ],
)
def test_what_is_dropped_is_best_for_the_student_and_what_may_not_be_stays(shares, dropped, total):
    assert term.total_of([term.Share(*share) for share in shares], dropped) == (total and pytest.approx(total))


def test_before_anything_is_graded_it_says_so(course, monkeypatch):
    monkeypatch.setattr(roll, "standings", lambda course, lesson: {})
    with pytest.raises(GradingError, match="Nothing is graded yet in any lesson"):
        term.write_term(Course(course))
