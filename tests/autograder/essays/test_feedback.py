"""What a student is told of a marked essay: which items, in which language, and when none at all."""

import pytest

from autograder.common.course import Course
from autograder.essays.feedback import ShownItem, shown_items, state_of
from autograder.essays.marks import AnswerRecord, Mark
from autograder.essays.rubric import Item, Rubric
from autograder.essays.store import EssayStore

LESSON, QUESTION, MOST = "attention", "why_position", 3
ITEMS = (
    Item("late", -0.5, {"en": "too long", "fr": "trop long"}, {}),
    Item("field", 1, {"en": "the field", "fr": "le champ"}, {}),
    Item("rude", -1, {"en": "no answer"}, {}),
    Item("mean", 2, {"en": "the mean"}, {}),
)


@pytest.fixture
def store(tmp_path) -> EssayStore:
    store = EssayStore(Course(tmp_path), LESSON, QUESTION)
    store.write_rubric(Rubric(ITEMS))
    return store


def given(store: EssayStore, *items: str, student: str = "ada", adjustment: float = 0, rubric: int = 0) -> None:
    store.write_record(student, AnswerRecord(1, Mark(list(items), adjustment, rubric, "hash", "text", "me", "now")))


def shown(store: EssayStore, score: float | None, language: str = "en", student: str = "ada") -> list[ShownItem]:
    return shown_items(store.course, LESSON, QUESTION, student, score, MOST, language)


def test_items_are_shown_in_the_rubrics_order_penalties_to_those_who_have_them(store):
    given(store, "mean", "late")
    assert shown(store, 1.5) == [
        ShownItem("too long", True, -0.5),
        ShownItem("the field", False, 1),
        ShownItem("the mean", True, 2),
    ]
    given(store)
    assert [(item.text, item.got) for item in shown(store, 0)] == [("the field", False), ("the mean", False)]


def test_items_are_in_the_students_language_and_else_in_one_that_has_a_text(store):
    given(store, "field")
    assert [item.text for item in shown(store, 1, "fr")] == ["le champ", "the mean"]


@pytest.mark.parametrize("score", [None, 0, 1.49, 2.5])
def test_no_items_are_shown_if_the_gradebooks_points_are_not_theirs(store, score):
    given(store, "mean", "late")
    assert shown(store, score) == []


def test_an_adjustment_belongs_to_the_points_that_are_compared(store):
    given(store, "field", adjustment=0.5)
    assert shown(store, 1) == [] and len(shown(store, 1.5)) == 2


def test_nothing_is_shown_without_a_mark_or_without_a_rubric_of_the_course(store):
    assert shown(store, None) == [] and shown(store, 0) == []
    given(store, "field")
    (store.folder / "rubric.json").unlink()
    assert shown(store, 1) == []


def test_both_halves_of_an_item_that_was_split_are_shown_as_got(store):
    given(store, "field")
    half = Item("half", 0.5, {"en": "second half"}, {}, "field", 1)
    store.write_rubric(Rubric((*ITEMS, half), 1))
    assert [item.text for item in shown(store, 1.5) if item.got] == ["the field", "second half"]


def test_feedback_depends_on_a_students_items_and_on_the_rubric_of_each_marked_question(store):
    assert state_of(store.course, "captioning", "ada") == []
    assert state_of(store.course, LESSON, "ada") == []
    other = EssayStore(store.course, LESSON, "a_first_question")
    given(other, "x")
    given(store, "mean")
    given(store, "field", student="bob")
    (store.course / "marking" / LESSON / "notes.txt").write_text("A file beside the questions.")
    rubric = Rubric(ITEMS).to_json()
    assert state_of(store.course, LESSON, "ada") == [["a_first_question", {}, ["x"]], [QUESTION, rubric, ["mean"]]]
    assert state_of(store.course, LESSON, "bob") == [[QUESTION, rubric, ["field"]]]
    assert state_of(store.course, LESSON, "eve") == []


def test_an_item_without_points_is_shown_to_those_who_have_it(store):
    store.write_rubric(Rubric((*ITEMS, Item("note", 0, {"en": "a remark"}, {}))))
    given(store, "field")
    assert "a remark" not in [item.text for item in shown(store, 1)]
    given(store, "field", "note")
    assert "a remark" in [item.text for item in shown(store, 1)]
