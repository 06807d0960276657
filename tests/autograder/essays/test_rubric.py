"""A course's rubric: copied from the lesson, changed by graders, summed by the items that a mark has."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.common.course import WORKBOOK
from autograder.essays.rubric import MAX_ITEMS, Item, Rubric, checked_items, copied
from autograder.lesson.rubric import rubric_of
from autograder.lesson.text import Lesson

ESSAY = Lesson.load("attention", WORKBOOK).essays["why_convolutions_fail"]


def item(name: str, points: float, **more) -> Item:
    return Item(name, points, {"en": f"about {name}"}, {"en": name}, **more)


def test_the_lessons_rubric_is_copied_in_all_languages_and_scaled_to_the_courses_points():
    rubric = copied("attention", ESSAY, 6)
    assert [one.id for one in rubric.items] == [one.id for one in rubric_of(ESSAY)]
    assert [one.points for one in rubric.items] == [2, 2, 2]
    mean = rubric.items[1]
    assert "moyenne" in mean.text["fr"] and "均值" in mean.text["zh"] and "moyenne" in mean.words["fr"]
    assert mean.text_in("fr") == mean.text["fr"] and mean.text_in("nowhere") == mean.text["en"]


@given(
    st.lists(st.sampled_from([-1, -0.5, 0.25, 0.5, 1, 2]), min_size=1, max_size=6),
    st.floats(-3, 3, allow_nan=False),
    st.data(),
)
def test_a_mark_is_the_sum_of_its_items_and_never_outside_its_bounds(points, adjustment, data):
    rubric = Rubric(tuple(item(f"i{n}", one) for n, one in enumerate(points)))
    chosen = data.draw(st.sets(st.sampled_from(range(len(points)))))
    given_items = [f"i{n}" for n in chosen]
    total = rubric.points(given_items, 0, adjustment, 3)
    wanted = sum(points[n] for n in chosen) + adjustment
    assert total == pytest.approx(min(3, max(0, wanted)), abs=1e-3) and 0 <= total <= 3


def test_an_item_that_was_split_keeps_its_marks_and_a_later_mark_has_only_what_was_given():
    first = item("a", 0.5)
    second = item("a_2", 0.5, split_from="a", since=1)
    rubric = Rubric((first, second, item("b", 1)), 1)
    assert rubric.given(["a"], 0) == ["a", "a_2"] and rubric.points(["a"], 0, 0, 3) == 1
    assert rubric.given(["a"], 1) == ["a"] and rubric.points(["a"], 1, 0, 3) == 0.5
    assert rubric.given(["b", "gone"], 0) == ["b"]


def test_a_rubric_survives_its_file():
    rubric = Rubric((item("a", 1, split_from="b", since=2),), 3, (item("a", 2),))
    assert Rubric.from_json(rubric.to_json()) == rubric
    assert rubric.before_change() == Rubric((item("a", 2),), 2)
    assert rubric.settled().before_change() is None


def test_a_split_from_the_page_begins_with_the_rubrics_new_revision():
    sent = [vars(item("a", 1)), vars(item("a_2", 1, split_from="a"))]
    made = checked_items(sent, 4)
    assert made[1].since == 4 and made[0].since == 0
    assert checked_items([vars(replace(made[1], since=2))], 9)[0].since == 2


@pytest.mark.parametrize(
    "sent",
    [
        [],
        {},
        "items",
        [7],
        [{"id": "a"}],
        [vars(item("a", 1)), vars(item("a", 1))],
        [vars(item("a", float("nan")))],
        [vars(item("a", float("inf")))],
        [vars(replace(item("a", 1), text={"en": " "}))],
        [vars(replace(item("a", 1), text={"en": "x" * 2000}))],
        [vars(item(f"i{n}", 1)) for n in range(MAX_ITEMS + 1)],
    ],
)
def test_items_that_cannot_be_used_are_refused(sent):
    with pytest.raises(ValueError, match="item"):
        checked_items(sent, 1)
