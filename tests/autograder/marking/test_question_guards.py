"""What saving, undoing and a new rubric must leave alone: marks of others, comments, the gradebook after a failure."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.essays.rubric import Item, Rubric
from autograder.lesson.text import Lesson
from autograder.marking import question as questions
from autograder.marking.answers import MAX_SHOWN
from autograder.marking.book import Book
from autograder.marking.question import MAX_COMMENT, Card, MarkedQuestion, Stale
from tests.helpers.marked_class import waiting_class, write_answers

LESSON = Lesson.load("attention", WORKBOOK)
NAME = "why_convolutions_fail"
STUDENTS = ("ada", "bob", "o'neil, x", "李明")
A, B, C = "receptive_field", "mean", "depth"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    course = tmp_path_factory.mktemp("made") / "course"
    waiting_class(course, LESSON, NAME, {one: f"The answer of {one}." for one in STUDENTS} | {"empty": ""})
    return course


@pytest.fixture
def question(made, tmp_path) -> MarkedQuestion:
    course = tmp_path / "course"
    shutil.copytree(made, course)
    return MarkedQuestion(Course(course), f"sqlite:///{course}/gradebook.db", LESSON, NAME)


def card(question: MarkedQuestion, student: str = "ada") -> Card:
    return question.cards()[1][student]


def save(question: MarkedQuestion, student: str, *items: str, comment: str = "", adjustment: float = 0) -> Card:
    return question.save(student, card(question, student).version, list(items), adjustment, comment, "me")[1]


def in_gradebook(
    question: MarkedQuestion, student: str = "ada", **new: object
) -> tuple[float | None, bool, str | None]:
    """Return score, waiting and comment of a student as nbgrader has them, after changes as formgrader makes them."""
    with Gradebook(question.url) as gradebook:
        place = (NAME, LESSON.name, LESSON.name, student)
        grade, comment = gradebook.find_grade(*place), gradebook.find_comment(*place)
        for name, value in new.items():
            setattr(comment if name == "manual_comment" else grade, name, value)
        gradebook.db.commit()
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


def with_points(rubric: Rubric, **points: float) -> list[dict]:
    return [item | {"points": points.get(item["id"], item["points"])} for item in rubric.to_json()["items"]]


def owed(question: MarkedQuestion) -> bool:
    path = question.course / ".grading" / "owed" / LESSON.name
    if there := path.exists():
        path.unlink()
    return there


# ---- who has a card ----


def test_who_has_no_graded_notebook_or_no_such_cell_has_no_card(question):
    (question.course / "autograded" / "bob" / LESSON.name / f"{LESSON.name}.ipynb").unlink()
    path = question.course / "autograded" / "李明" / LESSON.name / f"{LESSON.name}.ipynb"
    path.write_text('{"cells": [], "metadata": {}}')
    assert set(question.cards()[1]) == {"ada", "o'neil, x", "empty"}
    with pytest.raises(Stale):
        question.save("bob", "", [], 0, "", "me")


def test_the_rubric_has_the_points_of_the_gradebooks_question(tmp_path):
    doubled = waiting_class(tmp_path / "course", LESSON, NAME, {"ada": "x"}, most=6)
    assert [item.points for item in doubled.cards()[0].items] == [2, 2, 2]
    assert save(doubled, "ada", A, B, C, adjustment=1).row.booked.score == 6


def test_a_class_without_submissions_has_the_lessons_rubric_and_no_cards(tmp_path):
    rubric, cards = waiting_class(tmp_path / "course", LESSON, NAME, {}).cards()
    assert cards == {} and sum(item.points for item in rubric.items) == LESSON.essays[NAME].points


def test_the_items_of_a_lost_save_are_gone_from_the_file_too(question):
    save(question, "ada", A)
    seen = card(question)
    question.store.write_record(
        "ada", seen.record.marked(replace(seen.record.mark, items=[A, B]), seen.row.booked, True)
    )
    assert card(question).record.mark.items == [A]
    assert question.store.record("ada").mark.items == [A]


# ---- saving ----


def test_items_are_kept_in_the_rubrics_order_and_unknown_ones_dropped(question):
    saved = save(question, "ada", C, "nonsense", A)
    assert saved.record.mark.items == [A, C] and saved.row.booked.score == 2


def test_a_mark_remembers_answer_grader_and_rubric(question):
    question.save("ada", card(question).version, [A], 0.25, "", "me")
    question.change_rubric(with_points(question.cards()[0], **{A: 0.5}), 0, sure=True)
    mark = save(question, "bob", A).record.mark
    first = question.store.record("ada").mark
    assert (mark.rubric, first.rubric) == (1, 0) and (first.by, first.adjustment) == ("me", 0.25)
    assert first.answer == card(question).answer.hash and first.text == "The answer of ada."


def test_a_very_long_answer_and_comment_are_cut_where_they_are_kept(question):
    write_answers(question.course, LESSON, "ada", {NAME: "x" * (MAX_SHOWN + 1)})
    saved = save(question, "ada", comment="y" * (MAX_COMMENT + 1))
    assert len(saved.record.mark.text) == MAX_SHOWN and len(saved.row.booked.comment) == MAX_COMMENT


CHANGES = {
    "points": lambda question: in_gradebook(question, manual_score=0.5),
    "opened again": lambda question: in_gradebook(question, needs_manual_grade=True),
    "comment": lambda question: in_gradebook(question, manual_comment="changed"),
    "answer": lambda question: write_answers(question.course, LESSON, "ada", {NAME: "Another answer, handed in."}),
    "items of the same points": lambda question: save(question, "ada", B, comment="c"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_changes_on_a_card_makes_what_was_seen_stale(question, what):
    seen = save(question, "ada", A, comment="c").version
    assert card(question).version == seen
    CHANGES[what](question)
    for attempt in (lambda: question.save("ada", seen, [], 0, "", "x"), lambda: question.undo("ada", seen)):
        with pytest.raises(Stale):
            attempt()


def test_a_save_touches_one_students_row_and_one_question(question):
    before = {student: in_gradebook(question, student) for student in (*STUDENTS, "empty")}
    save(question, "o'neil, x", A, comment="“Bien”, dit-elle; 好")
    after = {student: in_gradebook(question, student) for student in (*STUDENTS, "empty")}
    assert after == before | {"o'neil, x": (1, False, "“Bien”, dit-elle; 好")}
    with Gradebook(question.url) as gradebook:
        marked = [
            grade.name
            for grade in gradebook.db.query(type(gradebook.find_grade(NAME, *[LESSON.name] * 2, "ada")))
            if grade.manual_score is not None
        ]
    assert marked == [NAME]


def test_an_empty_comment_is_none_in_the_gradebook(question):
    save(question, "ada", A, comment="first")
    save(question, "ada", A)
    assert in_gradebook(question)[2] is None


def test_feedback_is_owed_after_a_save_and_after_an_undo_not_after_a_look(question):
    question.cards()
    assert not owed(question)
    seen = save(question, "ada", A).version
    assert owed(question)
    question.undo("ada", seen)
    assert owed(question)


@pytest.mark.parametrize("error", [GradingError("the gradebook is locked"), KeyboardInterrupt()])
def test_a_save_that_fails_leaves_entry_and_gradebook(question, monkeypatch, error):
    save(question, "ada", A, comment="stays")
    seen, entry = card(question).version, question.store.record("ada")

    def fail(*asked: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(Book, "write", fail)
        with pytest.raises(type(error)):
            question.save("ada", seen, [B, C], 0, "gone", "me")
        with pytest.raises(type(error)):
            question.undo("ada", seen)
    assert question.store.record("ada") == entry and in_gradebook(question) == (1, False, "stays")


# ---- undoing ----


def test_a_mark_from_formgrader_comes_back_as_it_was_whatever_the_items_give_now(question):
    save(question, "ada", A)
    in_gradebook(question, manual_score=2.25, manual_comment="from formgrader")
    save(question, "ada", B)
    question.change_rubric(with_points(question.cards()[0], **{A: 0.25}), 0, sure=True)
    question.undo("ada", card(question).version)
    assert in_gradebook(question) == (2.25, False, "from formgrader")
    assert not card(question).own and card(question).record.mark.items == [A]
    question.undo("ada", card(question).version)
    assert in_gradebook(question) == (None, True, None)


def test_undo_takes_back_one_step_at_a_time_and_then_says_so(question):
    for points in (0.5, 1, 1.5):
        save(question, "ada", adjustment=points)
    for points in (1, 0.5, None):
        assert question.undo("ada", card(question).version)[1].row.booked.score == points
    with pytest.raises(Stale, match="no former state"):
        question.undo("ada", card(question).version)


# ---- a new rubric ----


def test_new_points_leave_a_mark_from_formgrader_alone_whose_items_they_change(question):
    for student in STUDENTS:
        save(question, student, A, B)
    in_gradebook(question, "bob", manual_score=2.5)
    in_gradebook(question, "李明", manual_score=None, needs_manual_grade=True)
    items = with_points(question.cards()[0], **{A: 0.5})
    assert question.change_rubric(items, 0, sure=False)["moves"] == 2
    question.change_rubric(items, 0, sure=True)
    assert {one: in_gradebook(question, one)[:2] for one in STUDENTS} == {
        "ada": (1.5, False),
        "bob": (2.5, False),
        "o'neil, x": (1.5, False),
        "李明": (None, True),
    }


def test_a_change_that_was_interrupted_leaves_a_mark_from_formgrader_alone(question):
    for student in ("ada", "bob"):
        save(question, student, A, comment="stays")
    in_gradebook(question, "bob", manual_score=2.5)
    rubric = question.cards()[0]
    items = tuple(replace(item, points=0.25) for item in rubric.items)
    question.store.write_rubric(Rubric(items, 1, rubric.items))  # and the process was killed
    owed(question)
    shown = question.cards()[1]
    assert (shown["ada"].row.booked.score, shown["bob"].row.booked.score) == (0.25, 2.5)
    assert in_gradebook(question) == (0.25, False, "stays") and in_gradebook(question, "bob")[0] == 2.5
    assert question.store.rubric() == Rubric(items, 1) and owed(question)


def test_new_words_move_no_mark_and_owe_no_feedback_twice(question):
    save(question, "ada", A)
    owed(question)
    items = with_points(question.cards()[0])
    items[0]["words"]["en"] = "other, words"
    assert question.change_rubric(items, 0, sure=True) == {"moves": 0, "uses": {A: 1, B: 0, C: 0}}
    rubric = question.store.rubric()
    assert (rubric.revision, rubric.former, rubric.items[0].words["en"]) == (1, None, "other, words")
    assert in_gradebook(question)[0] == 1 and not owed(question)


def test_points_that_other_items_make_up_for_move_nothing(question):
    save(question, "ada", A, B)
    items = with_points(question.cards()[0], **{A: 0.5, B: 1.5})
    assert question.change_rubric(items, 0, sure=False)["moves"] == 0


def test_a_split_item_keeps_the_points_of_marks_before_and_is_counted_for_them(question):
    save(question, "ada", A)
    items = with_points(question.cards()[0], **{A: 0.5})
    half = {"id": "half", "points": 0.5, "text": {"en": "second half"}, "words": {}, "split_from": A}
    told = question.change_rubric([*items, half], 0, sure=True)
    assert told["moves"] == 0 and in_gradebook(question)[0] == 1
    assert save(question, "bob", A).row.booked.score == 0.5
    again = question.change_rubric(with_points(question.cards()[0]), 1, sure=False)
    assert again["uses"] == {A: 2, B: 0, C: 0, "half": 1}


@pytest.mark.parametrize("sure", [True, False])
def test_a_rubric_that_was_changed_meanwhile_or_cannot_be_used_changes_nothing(question, sure):
    save(question, "ada", A)
    kept = question.store.rubric()
    with pytest.raises(Stale):
        question.change_rubric(with_points(kept, **{A: 0.5}), 1, sure=sure)
    with pytest.raises(ValueError, match="item"):
        question.change_rubric([], 0, sure=sure)
    assert question.store.rubric() == kept and in_gradebook(question)[0] == 1


def test_a_rubric_whose_marks_cannot_be_written_is_put_back(question, monkeypatch):
    save(question, "ada", A)
    kept = question.store.rubric()

    def fail(*asked: object) -> None:
        raise GradingError("the gradebook is locked")

    with monkeypatch.context() as patched:
        patched.setattr(Book, "write", fail)
        with pytest.raises(GradingError):
            question.change_rubric(with_points(kept, **{A: 0.5}), 0, sure=True)
    assert question.store.rubric() == kept and in_gradebook(question)[0] == 1


def test_a_rubric_that_the_course_has_is_not_replaced_by_the_lessons(question):
    own = Rubric((Item("only", 3, {"en": "all of it"}, {}),), 4)
    question.store.write_rubric(own)
    assert save(question, "ada", "only").row.booked.score == 3
    assert question.store.rubric() == own


# ---- a second grader ----


def test_a_second_mark_stands_beside_the_first_and_is_replaced_by_a_later_one(question):
    save(question, "ada", A)
    version = card(question).version
    question.mark_again("ada", [B], "bob")
    question.mark_again("ada", [C], "eve")
    entry = question.store.record("ada")
    assert (entry.second.items, entry.second.by, entry.mark.items) == ([C], "eve", [A])
    assert card(question).version == version  # the first grader's page stays current


def test_marks_and_second_marks_have_the_time_in_utc(question, monkeypatch):
    monkeypatch.setattr(questions, "_now", lambda: "then")
    save(question, "ada", A)
    question.mark_again("ada", [], "bob")
    entry = question.store.record("ada")
    assert (entry.mark.at, entry.second.at) == ("then", "then")
    monkeypatch.undo()
    assert questions._now().endswith("+00:00") and len(questions._now()) == len("2026-11-26T12:00:00+00:00")
