"""Late days go where they help most, or to what is due first; a day that saves nothing is not used."""

import itertools
import random
from datetime import datetime, timedelta

import pytest

from autograder.gradebook.late_days import LateWork, _best, _in_order
from autograder.gradebook.late_rule import DAY, read_rule

TEN = read_rule("10 % a day")
NONE = read_rule("none after 0 days")


def work(lesson, days, score=10.0, worth=0.1, rule=TEN, most=5):
    due = datetime(2026, 10, 1) + timedelta(weeks=ord(lesson))
    return LateWork(lesson, due, days * DAY, score, worth, rule, most)


@pytest.mark.parametrize(
    ("works", "budget", "best", "in_order"),
    [
        ([work("a", 2), work("b", 1, score=20)], 2, {"a": 1, "b": 1}, {"a": 2, "b": 0}),
        ([work("a", 0.1)], 3, {"a": 1}, {"a": 1}),  # a day begun is a day
        ([work("a", 3, most=2), work("b", 4)], 5, {"a": 2, "b": 3}, {"a": 2, "b": 3}),
        ([work("a", 3, rule=NONE), work("b", 2, rule=NONE)], 2, {"a": 0, "b": 2}, {"a": 0, "b": 2}),
        ([work("a", 1, score=0), work("b", 1)], 1, {"a": 0, "b": 1}, {"a": 0, "b": 1}),
        ([], 3, {}, {}),
    ],
)
def test_days_go_to_lessons_as_the_course_says(works, budget, best, in_order):
    assert (_best(works, budget), _in_order(works, budget)) == (best, in_order)


def test_no_other_way_to_share_the_days_saves_more():
    drawn = random.Random(0)
    for _ in range(60):
        rules = [TEN, NONE, read_rule("1 point a day, cap 3 points"), read_rule("10/30/60 % a day, none after 3 days")]
        works = [
            work(
                name,
                5 * drawn.random(),
                drawn.choice([0, 5, 10]),
                drawn.random(),
                drawn.choice(rules),
                drawn.choice([1, 3]),
            )
            for name in "abc"
        ]
        budget = drawn.choice([1, 2, 4])
        shared = _best(works, budget)
        saved = sum(one.saved(shared[one.lesson]) for one in works)
        ways = itertools.product(*(range(one.most + 1) for one in works))
        most = max(sum(map(LateWork.saved, works, way)) for way in ways if sum(way) <= budget)
        assert sum(shared.values()) <= budget and saved == pytest.approx(most)


@pytest.mark.parametrize(
    ("rule", "hours", "lost"),
    [
        ("10/30/60 % a day, none after 3 days", [1, 25, 50, 73], [1, 3, 6, 10]),
        ("0/10/15 % a day, none after 6 days", [23, 25, 60, 143, 145], [0, 1, 1.5, 1.5, 10]),
        ("none after 2 days", [1, 48, 49], [0, 0, 10]),
    ],
)
def test_a_rule_may_have_steps_and_an_end(rule, hours, lost):
    assert [read_rule(rule).penalty(10, 3600 * n) for n in hours] == pytest.approx(lost)
