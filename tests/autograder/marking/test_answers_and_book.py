"""What the marking page reads: answers from graded notebooks, names and marks from the gradebook, the course."""

import contextlib
import json
import os
from types import SimpleNamespace

import pytest
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.essays.marks import Booked
from autograder.gradebook.configuration import course_language
from autograder.gradebook.pages import Page
from autograder.lesson.text import Lesson
from autograder.marking import book as books
from autograder.marking import extension, serve
from autograder.marking.answers import MAX_SHOWN, answers_in
from autograder.marking.book import AnswerRow, counts, first_waiting, opened
from tests.helpers.courses import configure
from tests.helpers.marked_class import waiting_class, write_answers

LESSON = Lesson.load("attention", WORKBOOK)
NAME = "why_convolutions_fail"


def cell(name: str, source: str, **marks: bool) -> dict:
    marks = {"grade": True, "solution": True, "locked": False, "schema_version": 3} | marks
    return {
        "cell_type": "markdown",
        "id": name,
        "metadata": {"nbgrader": {"grade_id": name, "points": 1, "task": False, **marks}},
        "source": source.splitlines(keepends=True),
    }


# ---- answers ----


def test_answers_are_the_cells_that_a_person_grades_with_text_language_and_pictures(tmp_path):
    path = tmp_path / "a.ipynb"
    picture = {"p.png": {"image/png": "AAAA"}}
    cells = [
        cell("essay", "Two lines,\nand é.") | {"attachments": picture},
        cell("test", "assert x", solution=False),
        cell("code", "x = 1", grade=False),
        {"cell_type": "markdown", "id": "m", "metadata": {}, "source": ["own"]},
    ]
    path.write_text(json.dumps({"metadata": {"workbook": {"language": "fr"}}, "cells": cells}), encoding="utf-8")
    found = answers_in(path)
    assert list(found) == ["essay"]
    answer = found["essay"]
    assert (answer.text, answer.language, answer.attachments) == ("Two lines,\nand é.", "fr", picture)
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert answers_in(path)["essay"].language == "en"


def test_an_answers_hash_is_that_of_its_text(tmp_path):
    texts = ("first", "first", "second")
    hashes = []
    for number, text in enumerate(texts):
        path = write_answers(tmp_path, LESSON, f"s{number}", {NAME: text})
        hashes.append(answers_in(path)[NAME].hash)
    assert hashes[0] == hashes[1] != hashes[2] and all(hashes)


@pytest.mark.parametrize("content", ["{", "", "\x00", "[" * 100_000])
def test_a_notebook_that_cannot_be_read_has_no_answers(tmp_path, content):
    path = tmp_path / "a.ipynb"
    path.write_text(content)
    assert answers_in(path) == {}


def test_no_notebook_and_a_link_have_no_answers(tmp_path):
    path = write_answers(tmp_path, LESSON, "ada", {NAME: "x"})
    (tmp_path / "link.ipynb").symlink_to(path)
    assert answers_in(tmp_path / "none.ipynb") == {} == answers_in(tmp_path / "link.ipynb")


def test_a_changed_notebook_is_read_again_and_an_unchanged_one_is_not(tmp_path):
    path = write_answers(tmp_path, LESSON, "ada", {NAME: "first"})
    os.utime(path, ns=(1, 1))
    first = answers_in(path)
    assert answers_in(path) is first
    path.write_text(path.read_text().replace("first", "other"))
    os.utime(path, ns=(2, 2))
    assert answers_in(path)[NAME].text == "other"
    path.write_text(path.read_text().replace("other", "other, longer"))
    os.utime(path, ns=(2, 2))
    assert answers_in(path)[NAME].text == "other, longer"


def test_of_a_very_long_answer_the_beginning_is_shown(tmp_path):
    path = write_answers(tmp_path, LESSON, "ada", {NAME: "a" * MAX_SHOWN + "END"})
    html = answers_in(path)[NAME].html
    assert "a" * MAX_SHOWN in html and "END" not in html
    assert html == Page().rendered("a" * MAX_SHOWN, {})


# ---- the gradebook ----


@pytest.mark.parametrize(
    ("booked", "asked"),
    [((None, True), True), ((2.0, False), True), ((0.0, False), True), ((None, False), False), ((1.0, True), True)],
)
def test_an_answer_is_asked_for_if_it_waits_or_was_marked(booked, asked):
    assert AnswerRow(Booked(*booked, ""), 3, "").asked is asked


@pytest.fixture(scope="module")
def question(tmp_path_factory):
    """A class of names of all kinds; one student has another lesson's question of the same name as well."""
    made = waiting_class(tmp_path_factory.mktemp("book") / "course", LESSON, NAME, {"ada": "x", "bob": "y", "eve": ""})
    with Gradebook(made.url) as gradebook:
        gradebook.find_student("ada").first_name, gradebook.find_student("ada").last_name = "Ada", 'O\'Neil, "x"'
        gradebook.find_student("bob").last_name = "李"
        gradebook.add_assignment("other")
        gradebook.add_notebook("other", "other")
        gradebook.add_grade_cell(NAME, assignment="other", notebook="other", max_score=9, cell_type="markdown")
        with gradebook.db.no_autoflush:
            gradebook.add_submission("other", "ada")
        gradebook.find_grade(NAME, "other", "other", "ada").manual_score = 9
        gradebook.find_comment(NAME, LESSON.name, LESSON.name, "bob").manual_comment = "Well"
        grade = gradebook.find_grade(NAME, LESSON.name, LESSON.name, "bob")
        grade.manual_score, grade.needs_manual_grade = 2.5, False
        gradebook.db.commit()
    return made


def test_rows_are_those_of_the_lesson_with_names_as_far_as_they_are_known(question):
    with opened(question.url, LESSON.name) as book:
        rows, bob = book.rows(NAME), book.rows(NAME, "bob")
    assert rows == {
        "ada": AnswerRow(Booked(None, True, ""), 3, 'Ada O\'Neil, "x"'),
        "bob": AnswerRow(Booked(2.5, False, "Well"), 3, "李"),
        "eve": AnswerRow(Booked(None, False, ""), 3, ""),
    }
    assert bob == {"bob": rows["bob"]}


def test_answers_are_counted_by_question_those_left_empty_not_at_all(question):
    with opened(question.url, LESSON.name) as book:
        found = book.counts()
    assert found[NAME] == (1, 1) and set(found.values()) == {(1, 1), (0, 0)}
    told = counts(question.url, LESSON)
    assert list(told) == list(LESSON.essays) and told[NAME] == (1, 1)
    assert first_waiting(told) == NAME


def test_a_marked_answer_that_was_opened_again_waits(question):
    with opened(question.url, LESSON.name) as book:
        before = book.rows(NAME)["bob"].booked
        book.write(NAME, {"bob": Booked(2.5, True, "Well")})
        assert book.counts()[NAME] == (2, 0)
        book.write(NAME, {"bob": before})
        assert book.counts()[NAME] == (1, 1)


def test_marks_of_several_students_are_written_together_and_nobody_elses(question):
    with opened(question.url, LESSON.name) as book:
        before = book.rows(NAME)
        new = {"ada": Booked(1.5, False, "c"), "eve": Booked(0.5, False, "")}
        book.write(NAME, new)
        after = book.rows(NAME)
        assert {one: row.booked for one, row in after.items()} == {"bob": before["bob"].booked, **new}
        book.write(NAME, {one: before[one].booked for one in new})
    with opened(question.url, "other") as book:
        assert book.rows(NAME)["ada"].booked.score == 9


def test_without_a_gradebook_there_is_a_sentence(tmp_path):
    with pytest.raises(GradingError, match="no gradebook yet; type: workbook grade attention"):
        counts(f"sqlite:///{tmp_path}/none.db", LESSON)


# ---- the course ----


def test_the_question_shown_first_is_the_first_that_waits():
    assert first_waiting({"a": (0, 3), "b": (2, 0), "c": (9, 0)}) == "b"
    assert first_waiting({"a": (0, 3), "b": (0, 0)}) == "a" and first_waiting({}) == ""


def test_the_page_is_in_the_language_of_the_environment_else_of_the_course_else_english(tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_LANGUAGE", raising=False)
    configure(tmp_path)
    assert course_language(Course(tmp_path)) == "en"
    configure(tmp_path, "c.Translate.language = 'fr'")
    assert course_language(Course(tmp_path)) == "fr"
    monkeypatch.setenv("COURSE_LANGUAGE", "zh")
    assert course_language(Course(tmp_path)) == "zh"
    monkeypatch.setenv("COURSE_LANGUAGE", "xx")
    assert course_language(Course(tmp_path)) == "en"


# ---- the server ----


def test_the_server_opens_the_lessons_page_in_the_course_and_one_line_says_where(tmp_path, monkeypatch, capsys):
    started: list[object] = []
    monkeypatch.setattr(serve, "find_spec", lambda name: object() if name == serve.SERVER_EXTENSION else None)
    monkeypatch.setattr(serve.os, "chdir", started.append)
    monkeypatch.setattr(serve.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(serve, "_free_port", lambda: 9001)
    monkeypatch.setenv("JUPYTER_TOKEN", "secret")
    monkeypatch.setattr(serve.os, "execv", lambda *command: started.append(command))
    serve.serve(Course(tmp_path), "gpt", browser=False)
    folder, (program, words) = started
    assert folder == tmp_path and program == words[0] and words[1:4] == ["-m", "jupyter", "server"]
    assert {"--ServerApp.default_url=/essays/gpt", "--ServerApp.open_browser=False", "--ServerApp.port=9001"} < {*words}
    assert "secret" not in " ".join(words) and "--ServerApp.allow_root=False" in words
    said = capsys.readouterr().out.splitlines()
    assert said == ["Marking page, until Ctrl-C: http://localhost:9001/essays/gpt?token=secret"]
    monkeypatch.setattr(serve.os, "geteuid", lambda: 0)
    serve.serve(Course(tmp_path), "gpt", browser=True)
    assert {"--ServerApp.open_browser=True", "--ServerApp.allow_root=True"} < {*started.pop()[1]} and started.pop()
    assert capsys.readouterr().out.startswith("You are root, so anyone")
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    with pytest.raises(GradingError, match="type: python -m autograder install"):
        serve.serve(Course(tmp_path), "gpt", browser=False)
    assert len(started) == 2


def test_addresses_are_below_the_servers_own():
    added: list[tuple] = []
    app = SimpleNamespace(settings={"base_url": "/user/ada/"}, add_handlers=lambda host, rows: added.extend(rows))
    extension.load(SimpleNamespace(web_app=app))
    assert len(added) == len(extension.ADDRESSES)
    for row, address in zip(added, extension.ADDRESSES, strict=True):
        assert row[0] == "/user/ada" + address[0] and row[1:] == address[1:]


def test_a_gradebook_that_is_no_file_is_opened_by_its_address(monkeypatch):
    engines: list[str] = []
    monkeypatch.setattr(books, "engine_of", lambda url: engines.append(url))
    monkeypatch.setattr(books, "Session", lambda engine: contextlib.nullcontext("session"))
    with opened("postgresql://server/grades", "gpt") as book:
        assert (book.db, book.lesson_name) == ("session", "gpt")
    assert engines == ["postgresql://server/grades"]
