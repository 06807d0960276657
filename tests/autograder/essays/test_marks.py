"""A student's mark: its history, its file, and what is left of it when a save was interrupted."""

from dataclasses import replace

import pytest

from autograder.essays.marks import MAX_HISTORY, SAME, AnswerRecord, Booked, FormerState, Mark, SecondMark, reconciled
from autograder.essays.rubric import Item, Rubric

RUBRIC = Rubric((Item("a", 1, {}, {}), Item("b", 0.5, {}, {})))
CHANGED = Rubric((Item("a", 2, {}, {}), Item("b", 0.5, {}, {})), 1)
MOST = 3
OPEN = Booked(None, True, "")


def mark(*items: str, adjustment: float = 0) -> Mark:
    return Mark(list(items), adjustment, 0, "hash", "text", "me", "now")


def saved(entry: AnswerRecord, booked: Booked, new: Mark) -> tuple[AnswerRecord, Booked]:
    """Return entry and gradebook after a save, as the marking page writes them."""
    return entry.marked(new, booked, entry.matches_gradebook(booked, RUBRIC, MOST)), Booked(
        new.points(RUBRIC, MOST), False, ""
    )


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [(None, None, True), (None, 0, False), (0, None, False), (0, 0, True), (1, 1 + SAME / 2, True), (1, 1.001, False)],
)
def test_the_gradebooks_points_agree_up_to_rounding_and_no_points_are_not_zero(one, other, agree):
    assert Booked(one, False, "").agrees_with(other) is agree


def test_of_many_marks_the_last_twenty_states_can_be_taken_back_in_their_order():
    entry, booked = AnswerRecord(), OPEN
    for number in range(26):
        entry, booked = saved(entry, booked, mark(adjustment=number / 10))
    assert [before.mark.adjustment for before in entry.history] == [n / 10 for n in range(5, 25)]
    assert len(entry.history) == MAX_HISTORY == 20
    for number in range(24, 4, -1):
        entry = entry.undone()
        assert entry.mark.adjustment == number / 10
    assert entry.history == ()


def test_each_change_has_a_revision_of_its_own():
    entry, booked = saved(AnswerRecord(), OPEN, mark("a"))
    entry, _ = saved(entry, booked, mark("b"))
    assert entry.revision == 2 and entry.undone().revision == 3 and entry.undone().undone().revision == 4


def test_an_entry_says_what_the_gradebook_held_before_each_mark_and_whose_that_was():
    entry, booked = saved(AnswerRecord(), OPEN, mark("a"))
    assert entry.history == (FormerState(None, OPEN, True),)
    elsewhere = replace(booked, score=2.75, comment="from formgrader")
    entry, _ = saved(entry, elsewhere, mark("b"))
    assert entry.history[-1] == FormerState(mark("a"), elsewhere, False)


def test_an_answer_without_a_mark_is_our_own_while_the_gradebook_has_none_either():
    assert AnswerRecord().matches_gradebook(OPEN, RUBRIC, MOST) and not AnswerRecord().matches_gradebook(
        Booked(0, False, ""), RUBRIC, MOST
    )
    assert not AnswerRecord(mark=mark("a")).matches_gradebook(OPEN, RUBRIC, MOST)
    assert AnswerRecord(mark=mark("a")).matches_gradebook(Booked(1, False, "x"), RUBRIC, MOST)


def test_a_file_with_a_revision_alone_is_an_entry_without_mark_history_and_second_mark():
    assert AnswerRecord.from_json({"revision": 4}) == AnswerRecord(4)
    assert AnswerRecord.from_json(AnswerRecord().to_json()) == AnswerRecord()
    second = SecondMark(["a"], "bob", "now")
    assert AnswerRecord.from_json(AnswerRecord(second=second).to_json()).second == second


BEFORE = {
    "never marked": (AnswerRecord(), OPEN),
    "marked by items": saved(AnswerRecord(), OPEN, mark("b")),
    "marked twice": saved(*saved(AnswerRecord(), OPEN, mark("b")), mark("a", "b")),
    "marked in formgrader alone": (AnswerRecord(), Booked(2.25, False, "")),
    "marked by items, then in formgrader": (saved(AnswerRecord(), OPEN, mark("b"))[0], Booked(2.25, False, "")),
    "marked by items, then opened again": (saved(AnswerRecord(), OPEN, mark("b"))[0], OPEN),
}


@pytest.mark.parametrize("before", BEFORE)
def test_a_save_that_did_not_reach_the_gradebook_leaves_the_mark_before_it(before):
    entry, booked = BEFORE[before]
    begun, written = saved(entry, booked, mark("a"))
    left = reconciled(begun, booked, RUBRIC, MOST)
    assert (left.mark, left.history, left.second) == (entry.mark, entry.history, entry.second)
    assert left.revision > begun.revision  # a page that shows the lost mark is out of date
    assert reconciled(begun, written, RUBRIC, MOST) is begun


@pytest.mark.parametrize("before", ["marked by items", "marked twice"])
def test_an_interrupted_save_is_recognised_when_the_items_have_other_points_meanwhile(before):
    entry, _ = BEFORE[before]
    begun = entry.marked(mark("a"), Booked(entry.mark.points(RUBRIC, MOST), False, ""), True)
    booked = Booked(entry.mark.points(CHANGED, MOST), False, "")
    assert reconciled(begun, booked, CHANGED, MOST).mark == entry.mark


def test_points_given_in_formgrader_are_compared_as_they_are_whatever_the_items_would_give():
    entry = AnswerRecord(1, mark("a"), (FormerState(mark("b"), Booked(2.25, False, ""), False),))
    assert reconciled(entry, Booked(2.25, False, ""), RUBRIC, MOST).mark == mark("b")
    assert reconciled(entry, Booked(0.5, False, ""), RUBRIC, MOST) is entry


def test_a_mark_given_in_formgrader_after_ours_takes_nothing_back():
    entry, _ = BEFORE["marked twice"]
    assert reconciled(entry, Booked(2.75, False, ""), RUBRIC, MOST) is entry
    assert reconciled(AnswerRecord(), Booked(2.75, False, ""), RUBRIC, MOST) == AnswerRecord()
