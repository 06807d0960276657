"""The report's facts from a class that is made up: each number by hand, each name and text as printable as it is."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.nodes import grade_id
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.intake import attempts
from autograder.intake.places import Place
from autograder.lesson.compose import compose
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson, write_notebook
from autograder.reports import report, similarity

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
ESSAY = "why_convolutions_fail"
TEST = ATTENTION.of_role("test")[0].grade_id
MOST = sum(cell.points for cell in ATTENTION.of_role("test", "essay"))
LAST = list(ATTENTION.solutions)[-1]
ANSWER = "The field is 17, as each of four layers adds 4 points; the mean minimises the squared error."


def own(first: int) -> str:
    """Code in which every token is one of many: nobody writes the same by chance."""
    return "\n".join(f"x = {number}" for number in range(first, first + 30))


BOOKS = {
    "ada": StudentMarks({TEST: 2.0, ESSAY: 1.0}),
    "李明": StudentMarks({TEST: 1.0, ESSAY: 3.0}, seconds_late=60),
    "o'neil, x": StudentMarks({TEST: 0.5}, {ESSAY, "other"}, seconds_late=-60),
    "fay": StudentMarks({TEST: 9.0}, seconds_late=60),
    "\x1b[2Jodd": StudentMarks({TEST: 9.0}),
}


@pytest.fixture(scope="module", autouse=True)
def books() -> Iterator[None]:
    """The gradebook and the list of those who handed in."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(roll, "standings", lambda *asked: BOOKS)
        patched.setattr(roll, "strangers", lambda course, students: ["\x1b[2Jodd"])
        yield


@pytest.fixture(scope="module")
def course(tmp_path_factory, books) -> Path:
    course = tmp_path_factory.mktemp("course")
    (course / "students.csv").write_text('id\nada\n李明\n"o\'neil, x"\nfay\nguy\n', encoding="utf-8")
    (course / "extensions.csv").write_text("id,lesson,due,excused\nfay,,,yes\n")
    for student, code in {"ada": own(0), "李明": own(0), "fay": own(0), "o'neil, x": own(500)}.items():
        write_answers(course, student, {LAST: code, ESSAY: ANSWER if student != "o'neil, x" else "I do not know."})
    logs = course / ".grading" / "logs" / LESSON
    logs.mkdir(parents=True)
    (logs / "李明.json").write_text(json.dumps({"version": "2", "flags": ["o\x1bdd", "z"]}))
    (logs / "ada.json").write_text(json.dumps({"version": "1", "flags": ["first"]}))
    return course


def write_answers(course: Path, student: str, answers: dict[str, str]) -> None:
    path = course / "autograded" / student / LESSON / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_notebook(compose(ATTENTION, answers, blank=True)), encoding="utf-8")


@pytest.fixture(scope="module")
def told(course) -> dict[str, Any]:
    return report.facts(Course(course), ATTENTION)


def test_while_an_answer_waits_the_mean_is_of_what_is_examined_for_all_and_excused_and_strangers_count_nowhere(told):
    assert (told["lesson"], told["title"], told["max_points"]) == (LESSON, report.title_of(ATTENTION, "en"), MOST)
    assert (told["submissions"], told["final"], told["mean"], told["median"]) == (3, 2, 3.5 / 3, 1)
    assert (told["examined"], told["examined_points"]) == (1, ATTENTION.of_role("test")[0].points)
    assert (told["waiting"], told["late"]) == (2, 1)
    assert told["states"] == {"graded": 2, "waits": 1, "excused": 1, "not handed in": 1}
    assert sum(bar["students"] for bar in told["distribution"]) == 3
    assert told["strangers"] == [" [2Jodd"]
    assert told["flags"] == [["ada", "first"], ["李明", "o dd"], ["李明", "z"]]


def test_flags_come_in_the_order_of_names_whatever_the_order_of_the_gradebook(course, monkeypatch):
    monkeypatch.setattr(roll, "standings", lambda *asked: dict(reversed(BOOKS.items())))
    monkeypatch.setattr(report, "read_log", lambda course, lesson, student: {"flags": [student]})
    assert [name for name, _ in report.facts(Course(course), ATTENTION)["flags"]] == ["ada", "o'neil, x", "李明"]


def test_the_report_says_when_it_was_made(course):
    before = f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M}"
    assert before <= report.facts(Course(course), ATTENTION)["time"] <= f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M}"


def test_the_median_is_the_middle_total(course, monkeypatch):
    books = {name: StudentMarks({TEST: points}) for name, points in {"ada": 1.0, "李明": 2.0, "guy": 9.0}.items()}
    monkeypatch.setattr(roll, "standings", lambda *asked: books)
    told = report.facts(Course(course), ATTENTION)
    assert (told["mean"], told["median"]) == (4, 2)


def test_a_class_of_which_nothing_is_examined_for_all_has_neither_mean_nor_median(course, monkeypatch):
    monkeypatch.setattr(roll, "standings", lambda *asked: {"ada": StudentMarks({ESSAY: 0.0}, {ESSAY})})
    told = report.facts(Course(course), ATTENTION)
    assert (told["submissions"], told["final"], told["mean"], told["median"]) == (1, 0, None, None)


def test_questions_have_the_titles_of_the_lesson_and_their_own_points(told):
    cells = ATTENTION.of_role("test", "essay")
    assert [one["question"] for one in told["questions"]] == [cell.name for cell in cells]
    titles = report.titles_of(ATTENTION, "en")
    assert [one["title"] for one in told["questions"]] == [titles.get(cell.grade_id, cell.name) for cell in cells]
    essay = next(one for one in told["questions"] if one["question"] == ESSAY)
    assert (essay["graded"], essay["waiting"], essay["mean"]) == (2, 0, 2)


def test_similar_code_and_near_copies_of_the_class_are_named_and_nobody_elses(told):
    (pair,) = told["similar"]
    # Thirty lines of three tokens and, between them, the ends of lines that are no tokens: 90 - 9 runs.
    assert pair == {"students": ["ada", "李明"], "share": 1, "runs": 81, "cells": [[LAST, own(0), own(0)]]}
    assert told["near_copies"] == [[["ada", ESSAY], ["李明", ESSAY]]]


def test_members_of_a_group_are_not_alike(course, monkeypatch):
    shared = {student: Place("moodle", "", "Group_A_12") for student in ("ada", "李明")}
    monkeypatch.setattr(report, "places_of", lambda *asked: shared)
    told = report.facts(Course(course), ATTENTION)
    assert (told["similar"], told["near_copies"]) == ([], [])


def test_what_the_release_or_the_solution_has_makes_nobody_similar(course, tmp_path, monkeypatch):
    monkeypatch.setattr(roll, "standings", lambda *asked: {name: BOOKS[name] for name in ("ada", "李明")})
    released = {grade_id(cell): cell.source for cell in release_notebook(ATTENTION).cells}
    most_given = max(ATTENTION.solutions, key=lambda name: len(released[name]))
    for student in ("ada", "李明"):
        write_answers(tmp_path, student, {LAST: ATTENTION.solutions[LAST].code, most_given: released[most_given]})
    assert len(similarity.runs(released[most_given])) > similarity.LEAST
    assert report.facts(Course(tmp_path), ATTENTION)["similar"] == []


def test_a_student_whose_notebook_is_gone_has_marks_and_no_code(tmp_path):
    write_answers(tmp_path, "李明", {LAST: own(0), ESSAY: ANSWER})
    told = report.facts(Course(tmp_path), ATTENTION)
    assert (told["submissions"], told["similar"], told["near_copies"]) == (5, [], [])


def test_the_table_of_questions_is_the_facts_as_csv(told):
    rows = list(csv.DictReader(io.StringIO(report.questions_csv(told))))
    assert len(rows) == len(told["questions"])
    for row, one in zip(rows, told["questions"], strict=True):
        assert row == {name: "" if value is None else str(value) for name, value in one.items()}


def test_the_files_keep_names_in_their_own_script(course):
    page, table, data = report.write_report(Course(course), ATTENTION)
    assert [path.relative_to(course).as_posix() for path in (page, table, data)] == [
        f"report/{LESSON}.{ending}" for ending in ("html", "csv", "json")
    ]
    assert "李明" in page.read_text(encoding="utf-8") and '"李明"' in data.read_text(encoding="utf-8")
    assert "\x1b" not in page.read_text(encoding="utf-8")


# A class of 20 in which 12, 5 and no students have `heal` right at the first, second and third attempt; a stranger too.
TRIES = {f"s{n}": [n < 12, 12 <= n < 17 or n == 3, False][: 1 + (n > 5) + (n > 14)] for n in range(20)} | {
    "odd": [True]
}
LINES = {
    "en": "attempt 1: 12 of 20; attempt 2: 5 of 20; not yet: 3 of 20",
    "fr": "tentative 1 : 12 sur 20 ; tentative 2 : 5 sur 20 ; pas encore : 3 sur 20",
    "zh": "第 1 次提交：12/20；第 2 次提交：5/20；尚未得到：3/20",
}


@pytest.mark.parametrize("language", LINES)
def test_the_report_shows_at_which_attempt_the_class_healed_its_patients(tmp_path, monkeypatch, language):
    (tmp_path / "students.csv").write_text("id\nnobody\n" + "".join(f"s{number}\n" for number in range(20)))
    rows = [
        attempts.Attempt(student, number, attempts.ARCHIVE, "", "", "2030-01-01", "2030-01-01", "", "")
        for student, tries in TRIES.items()
        for number, _ in enumerate(tries, 1)
    ]
    full = {
        f"{student} {n}": ["test_heal"] * right for student, tries in TRIES.items() for n, right in enumerate(tries, 1)
    }
    kept = attempts.Attempts(Course(tmp_path), LESSON)
    kept.rows.attempts, kept.rows.full = rows, full
    kept.folder.mkdir(parents=True)
    kept.file.write_text(kept.to_json())
    monkeypatch.setattr(roll, "standings", lambda *asked: {name: StudentMarks({TEST: 1.0}) for name in TRIES})
    monkeypatch.setattr(roll, "strangers", lambda course, students: ["odd"])
    monkeypatch.setenv("COURSE_LANGUAGE", language)
    told = report.facts(Course(tmp_path), ATTENTION)["first_full"]
    assert told["heal"] == {1: 12, 2: 5, 0: 3} and told["own_code"] == {0: 20}
    page = " ".join(report.write_report(Course(tmp_path), ATTENTION)[0].read_text(encoding="utf-8").split())
    assert LINES[language] in page.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize(
    ("marks", "column", "text"),
    [
        ({}, "mean", "–"),
        ({}, "full points", "–"),
        ({}, "agrees with the rest", "–"),
        ({"a": (4, 1), "b": (2, 0), "c": (0, 0.5)}, "mean", "2.0/4"),
        ({"a": (4, 1), "b": (2, 0), "c": (0, 0.5)}, "full points", "33%"),
        ({"a": (4, 1), "b": (2, 0), "c": (0, 0.5)}, "no point", "33%"),
        # About their means, 2 and 0.5: products 1, squares 8 and 0.5.
        ({"a": (4, 1), "b": (2, 0), "c": (0, 0.5)}, "agrees with the rest", "0.50"),
        ({"a": (4, 1), "b": (2, 0), "c": (0, 0.5)}, "question", "asked"),
        ({"a": (4, 1), "b": (2, 0), "c": (0, 0.5)}, "waiting", "0"),
    ],
)
def test_the_table_of_questions_shows_shares_and_agreement(marks, column, text):
    question = report.Cell("essay", "asked", 4.0, "markdown", "")
    found = {name: StudentMarks({"asked": asked, "rest": rest}) for name, (asked, rest) in marks.items()}
    assert report.COLUMNS[column](report.question_numbers(question, found)) == text


def test_named_mistakes_are_those_of_each_test_and_what_was_seen_besides():
    tests = [
        {"mistake": "b", "also": "a"},
        {"mistake": "b"},
        {"mistake": None, "also": "c"},
        {"mistake": None, "also": None},
    ]
    log = {"questions": [{"id": "test_two", "tests": tests}, {"id": "test_one", "tests": [{"mistake": "b"}]}]}
    assert report.mistakes_made(log) == [("test_one", "b"), ("test_two", "a"), ("test_two", "b"), ("test_two", "c")]
    assert report.mistakes_made({}) == []
