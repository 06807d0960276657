"""A course's rubric: copied from the lesson, changed by graders, summed by the items that a mark has."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.common.course import WORKBOOK
from autograder.essays.rubric import MAX_ITEMS, MAX_TEXT, Item, Rubric, checked_items, copy_for_course
from autograder.lesson.rubric import rubric_of
from autograder.lesson.text import Lesson

LESSON = Lesson.load("attention", WORKBOOK)
ESSAY = LESSON.essays["why_convolutions_fail"]


def item(name: str, points: float, **more) -> Item:
    return Item(name, points, {"en": f"about {name}"}, {"en": name}, **more)


def test_the_lessons_rubric_is_copied_in_all_languages_and_scaled_to_the_courses_points():
    rubric = copy_for_course(LESSON, ESSAY, 6)
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


def test_a_penalty_is_scaled_as_the_others_and_belongs_to_no_sum_of_points():
    text = "*Points.*\n\n- `a` 1: one. *Words:* x.\n- `b` 2: two.\n- `late` -1: late.\n"
    lesson = Lesson.load("attention", WORKBOOK)
    rubric = copy_for_course(lesson, SimpleNamespace(name="q", model_answer=text), 2)
    assert [one.points for one in rubric.items] == [0.667, 1.333, -0.667]
    assert rubric.revision == 0 and rubric.former is None
    assert copy_for_course(lesson, SimpleNamespace(name="q", model_answer="No points."), 2).items == ()
    only = SimpleNamespace(name="q", model_answer="*Points.*\n\n- `late` -1: late.\n")
    assert [one.points for one in copy_for_course(lesson, only, 2).items] == [-1]


def test_points_are_kept_with_three_decimals():
    rubric = Rubric((item("a", 0.3334), item("b", 0.3333), item("c", 0.3333)))
    assert rubric.points("abc", 0, 0, 3) == 1 and rubric.points("ab", 0, 0.00004, 3) == 0.667
    assert checked_items([vars(item("a", 1 / 3))], 1)[0].points == 0.333


def test_a_text_that_a_language_lacks_is_that_of_the_first_language_with_one_and_else_the_id():
    lacking = replace(item("a", 1), text={"en": "", "fr": "à propos", "zh": "关于"})
    assert lacking.text_in("en") == "à propos" and lacking.text_in("zh") == "关于"
    assert replace(item("a", 1), text={"en": ""}).text_in("en") == "a"


def sent(name: str = "a", points: float = 1, text: str = "t", words: str = "", split_from: str = "") -> dict:
    return {"id": name, "points": points, "text": {"fr": text}, "words": {"zh": words}, "split_from": split_from}


@pytest.mark.parametrize("part", ["name", "text", "words", "split_from"])
def test_each_text_of_an_item_has_at_most_a_thousand_letters(part):
    checked_items([sent(**{part: "x" * MAX_TEXT})], 1)
    with pytest.raises(ValueError, match="at most 1000 characters"):
        checked_items([sent(**{part: "x" * (MAX_TEXT + 1)})], 1)


@pytest.mark.parametrize("points", [1000, -1000])
def test_an_item_gives_or_takes_at_most_a_thousand_points(points):
    assert checked_items([sent(points=points)], 1)[0].points == points
    with pytest.raises(ValueError, match="a number as points"):
        checked_items([sent(points=points * 1.001)], 1)


def test_a_rubric_has_up_to_thirty_items():
    assert len(checked_items([sent(f"i{n}") for n in range(MAX_ITEMS)], 1)) == MAX_ITEMS == 30


@pytest.mark.parametrize(
    "wrong",
    [None, {"points": "many"}, {"points": None}, {"text": ["t"]}, {"words": "w"}, {"text": None}, {"since": "soon"}],
)
def test_an_item_of_another_form_is_refused_with_the_form_that_it_needs(wrong):
    with pytest.raises(ValueError, match="An item needs an id, points, and texts by language"):
        checked_items([wrong and sent() | wrong], 1)


@pytest.mark.parametrize("since", [{}, {"since": None}, {"since": 0}, {"since": "0"}])
def test_a_new_split_begins_now_whatever_the_page_sends_in_place_of_a_revision(since):
    assert checked_items([sent(split_from="b") | since], 7)[0].since == 7
    assert checked_items([sent() | since], 7)[0].since == 0


def test_texts_and_words_are_kept_by_language_and_others_dropped():
    (kept,) = checked_items([sent(words="x") | {"text": {"fr": "t", "xx": "?"}}], 1)
    assert kept.text == {"en": "", "fr": "t", "zh": ""} and kept.words == {"en": "", "fr": "", "zh": "x"}


def test_a_split_of_a_split_belongs_to_the_marks_that_had_the_first_item():
    halves = (item("a", 1), item("b", 1, split_from="a", since=1), item("c", 1, split_from="b", since=2))
    rubric = Rubric(halves, 2)
    assert rubric.given(["a"], 0) == ["a", "b", "c"] and rubric.given(["a"], 1) == ["a"]
    assert rubric.given(["b"], 1) == ["b", "c"] and rubric.given(["b"], 2) == ["b"]


@pytest.mark.parametrize("data", [{"items": 1}, "items", (), {1}, None])
def test_a_rubric_is_a_list(data):
    with pytest.raises(ValueError, match="A rubric has from 1 to 30 items"):
        checked_items(data, 1)


def test_an_item_that_was_never_split_is_no_part_of_another():
    new = {name: part for name, part in sent().items() if name != "split_from"}
    (kept,) = checked_items([new], 7)
    assert (kept.split_from, kept.since) == ("", 0)
