"""The search for small cases gives the stored ones again; the build searches only questions that have changed."""

import json
from types import SimpleNamespace

import pytest
import torch

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.course import small_cases
from autograder.lesson.text import Lesson, lessons_of
from utils.checks.check import case_book
from utils.checks.engine.cases import CASES
from utils.checks.engine.small import Table
from utils.common.lessons import made


def stored(lesson: str) -> dict:
    return json.loads(made(lesson, CASES).read_text(encoding="utf-8"))


def outline(found: dict) -> list:
    """Each case's function, sizes, tape and names of the values on the way; numbers may differ in their last digits."""
    steps = [[(step["name"], step["axes"], step["sums"]) for step in case["steps"]] for case in found["cases"]]
    return [(case["case"], case["sizes"], case["tape"], way) for case, way in zip(found["cases"], steps, strict=True)]


@pytest.mark.parametrize(
    ("lesson", "question"),
    [
        ("attention", "make_datasets"),
        ("seq2seq", "cosine_similarity"),
        pytest.param("gpt", "nucleus", marks=pytest.mark.whole),
        pytest.param("gpt", "rms_norm", marks=pytest.mark.whole),
    ],
)
def test_a_search_finds_again_what_is_stored(lesson, question):
    found, kept = (
        small_cases.search(Lesson.load(lesson, WORKBOOK), case_book(lesson), question),
        stored(lesson)[question],
    )
    assert found["of"] == kept["of"] and outline(found) == outline(kept)
    assert any(way for *_, way in outline(found))


def test_only_a_question_that_changed_is_searched_again(monkeypatch):
    lesson, searched = Lesson.load("attention", WORKBOOK), []
    kept = stored("attention")
    monkeypatch.setattr(
        small_cases, "search", lambda _lesson, _book, question: searched.append(question) or {"cases": []}
    )
    real = small_cases._checksum
    monkeypatch.setattr(
        small_cases,
        "_checksum",
        lambda of, book, question: kept[question]["checksum"] if question != "update" else "new",
    )
    again = json.loads(small_cases.stored_cases(lesson))
    assert searched == ["update"] and again == kept | {"update": {"cases": [], "checksum": "new"}}
    assert len({real(lesson, case_book("attention"), question) for question in kept}) == len(kept)


def test_values_on_the_way_are_those_of_questions_and_their_sums_are_known():
    lessons = lessons_of(WORKBOOK)
    assert sum(bool(case_book(lesson.name).ways) for lesson in lessons) >= 4  # a lesson's functions may have no steps
    for lesson in lessons:
        ways = case_book(lesson.name).ways
        assert set(ways) <= set(lesson.solutions)
        assert all(way.sums in ("", "rows", "both") for of_question in ways.values() for way in of_question)
        assert all(one["question"] in lesson.solutions for one in mistakes.entries(lesson, "right"))


@pytest.mark.parametrize(
    ("shares", "saturated"),
    [([0.0, 1.0], 0), ([0.5, 0.5], 0), ([0.01, 0.99], 1), ([0.5, 0.03, 0.47], 1), ([0.97, 0.02, 0.01], 1)],
)
def test_shares_that_look_like_whole_numbers_make_a_case_dear(shares, saturated):
    tables = [Table("attention", torch.tensor(shares), ("at",), "rows"), Table("y", torch.tensor([0.01]), ("at",))]
    run = SimpleNamespace(small=SimpleNamespace(results=tables))
    assert small_cases._all_or_nothing(run) == saturated
