"""The first screen of feedback: titles instead of names, marks, the first reason; the lesson's text is folded."""

import pytest

from autograder.common.course import WORKBOOK
from autograder.essays.feedback import ShownItem
from autograder.gradebook import first_screen
from autograder.gradebook.first_screen import FOLD_BEGINS, FOLD_ENDS, REASON
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from utils.checks.engine.outcome import Verdict
from utils.common.messages import Message

ATTENTION = Lesson.load("attention", WORKBOOK)
GRADED = [cell.grade_id for cell in ATTENTION.of_role("test", "essay")]
NAN = Message("values that are NaN: {count} of {total}; 0 · ∞, ∞ − ∞ or 0 / 0 give them", {"count": 2, "total": 7})


def test_each_question_has_its_title_in_the_students_language():
    english, french = (first_screen.titles_of(ATTENTION, language) for language in ("en", "fr"))
    assert set(GRADED) <= set(english)
    assert not set(english.values()) & set(english), "a title is no name of the code"
    assert english["test_self_attention"] == "Self-attention layer"
    assert french["test_self_attention"] == "Couche d'auto-attention"
    assert first_screen.title_of(ATTENTION, "fr").startswith("Attention")


def test_marks_reasons_and_comments_stand_beside_the_titles():
    notebook = compose(ATTENTION)
    for number, cell in enumerate(one for one in notebook.cells if one.metadata.get("nbgrader", {}).get("grade")):
        cell.metadata.nbgrader |= {"score": 1.5, "comment": "Bien vu."} if number == 0 else {"waits": number == 1}
        cell.metadata["workbook"] = {REASON: "too few"} if number == 2 else {}
    first, second, third, *_ = found = first_screen.questions(notebook, ATTENTION, "fr")
    assert [one.id for one in found] == GRADED
    assert (first.score, first.comment, first.reason) == (1.5, "Bien vu.", "")
    assert second.score is None and third.score == 0.0 and third.reason == "too few"
    assert third.command == "check.conv_network.show()" and not first.command


def test_an_essay_names_the_items_that_it_lost():
    notebook, essay = compose(ATTENTION), next(iter(ATTENTION.essays))
    got, missed, wrong = (ShownItem("a", True, 1), ShownItem("b", False, 1), ShownItem("c", True, -0.5))
    next(cell for cell in notebook.cells if cell.id == essay).metadata.nbgrader["rubric"] = [got, missed, wrong]
    lines = {line.id: line for line in first_screen.questions(notebook, ATTENTION, "en")}
    assert lines[essay].items == (missed, wrong) and lines["test_update"].items == ()


@pytest.mark.parametrize(
    ("verdicts", "reason"),
    [
        ([Verdict("a", "it asks", 0.5, "passed"), Verdict("b", "it asks more", 0.5, "wrong", NAN)], NAN.render("fr")),
        ([Verdict("a", "it asks", 1.0, "passed")], ""),
        ([Verdict("a", "it asks", 0.5, "not attempted", NAN)] * 2, NAN.render("fr")),
    ],
)
def test_the_first_reason_is_that_of_the_first_test_that_failed(verdicts, reason):
    assert first_screen.first_reason(verdicts, "fr") == reason


def test_what_lies_between_the_answers_is_folded_and_no_answer_is():
    notebook = compose(ATTENTION)
    first_screen.fold_lesson(notebook)
    folded = False
    for cell in notebook.cells:
        noted, marks = cell.metadata.get("workbook", {}), cell.metadata.get("nbgrader", {})
        folded = folded or bool(noted.get(FOLD_BEGINS))
        assert folded != bool(marks.get("grade") or marks.get("solution")), cell.id
        folded = folded and not noted.get(FOLD_ENDS)
    assert not folded
