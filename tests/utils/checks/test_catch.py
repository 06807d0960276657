"""Catch the mistakes: the tables are true, hold no code and refuse what right answers decide; the best case is rare."""

import json
import re

import pytest

from autograder.common.course import WORKBOOK
from autograder.course import catching
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.catch import TABLE
from utils.checks.check import case_book
from utils.checks.engine.cases import Pool
from utils.common import lessons
from utils.common.errors import WorkbookError

FORMS = [(lesson, question) for lesson in WORKBOOK.lessons for question in getattr(case_book(lesson), "forms", {})]
forms = pytest.mark.parametrize(("name", "question"), FORMS)
GPT = Lesson.load("gpt", WORKBOOK)
NUCLEUS = reference.checks_of(GPT)["nucleus"]


def stored(lesson: str, question: str) -> dict:
    return json.loads(lessons.made(lesson, TABLE).read_text(encoding="utf-8"))[question]


def read(table: dict) -> list[set[str] | None]:
    """The mistakes that show in each case; None for a refused one."""
    numbers = [int(mask, 16) if mask else None for mask in table["shown"]]
    return [
        None if number is None else {name for bit, name in enumerate(table["known"]) if number >> bit & 1}
        for number in numbers
    ]


def test_two_lessons_have_a_form():
    assert FORMS == [("attention", "self_attention"), ("gpt", "nucleus")]


@forms
def test_a_sample_of_the_table_is_what_runs_give(name, question):
    whole = read(stored(name, question))
    book, every = case_book(name), max(1, len(whole) // 12)
    sample = catching.table(Lesson.load(name, WORKBOOK), book, question, book.forms[question], every)
    assert read(sample) == whole[::every]


@forms
def test_at_most_a_tenth_of_the_cases_is_the_best(name, question):
    counts = [len(shown) for shown in read(stored(name, question)) if shown is not None]
    assert counts.count(max(counts)) <= len(counts) / 10


@forms
def test_a_table_holds_names_and_numbers_and_no_code(name, question):
    table = stored(name, question)
    assert all(re.fullmatch("[a-z_0-9]+", known) for known in table["known"])
    assert all(re.fullmatch("[0-9a-f]*", mask) for mask in table["shown"]) and isinstance(table["total"], int)


def test_a_case_in_which_right_answers_differ_is_refused():
    book = case_book("gpt")
    form, pool = book.forms["nucleus"], Pool(book, "nucleus", (), {})
    right = reference.students_of(GPT, "nucleus")
    other = reference.mutant_students(GPT, "nucleus", "nucleus_greedy")
    assert catching._shown(pool, form, (0, 0, 1), [right, right], {"greedy": other}) == ["greedy"]
    assert catching._shown(pool, form, (0, 0, 1), [right, other], {}) is None


def test_a_case_is_counted_and_a_mistake_that_does_not_show_is_named(capsys):
    NUCLEUS.catch(shares=[5, 3, 2], temperature=1, top_p=1)
    said = capsys.readouterr().out
    assert re.search(r"Known mistakes: \d+\. .* yours shows \d+\. Not yet, for example: “", " ".join(said.split()))


def test_the_best_case_is_known_as_such(capsys):
    shown = read(stored("gpt", "nucleus"))
    best = max(range(len(shown)), key=lambda number: len(shown[number] or ()))
    choices = case_book("gpt").forms["nucleus"].choices
    sizes = list(map(len, choices.values()))
    numbers = best // (sizes[1] * sizes[2]), best // sizes[2] % sizes[1], best % sizes[2]
    NUCLEUS.catch(**{name: values[i] for (name, values), i in zip(choices.items(), numbers, strict=True)})
    assert "No case of this form shows more." in " ".join(capsys.readouterr().out.split())


def test_a_refused_case_is_said_to_be_refused(capsys, monkeypatch, tmp_path):
    (tmp_path / TABLE).write_text(json.dumps({"nucleus": {"known": [], "total": 1, "shown": [""] * 36}}))
    monkeypatch.setattr(lessons, "made", lambda lesson, name: tmp_path / name)
    NUCLEUS.catch(shares=[5, 3, 2], temperature=1.0, top_p="0.9")
    assert "right answers differ" in " ".join(capsys.readouterr().out.split())


def test_values_may_be_typed_as_code_and_others_are_refused_with_a_list(capsys):
    attention = reference.checks_of(Lesson.load("attention", WORKBOOK))["self_attention"]
    attention.catch(query="2*x", key="x", value="x+1", x0=1, x1=2)
    assert "Known mistakes" in capsys.readouterr().out
    for chosen in ({}, {"shares": [1, 2, 3], "temperature": 1, "top_p": 1}, {"temperature": 1, "top_p": 1}):
        with pytest.raises(WorkbookError, match=r"temperature: 1, 0\.5, 2; top_p"):
            NUCLEUS.catch(**chosen)
    with pytest.raises(WorkbookError, match="no cases"):
        reference.checks_of(GPT)["rotate"].catch()
