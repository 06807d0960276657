"""Points: fractions are kept to a hundredth, a right answer earns all of them, and nothing leaves [0, max]."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.examine.result import Graded, Result, verdict_from_json, verdict_to_json
from utils.checks.engine.outcome import Verdict
from utils.common.messages import Message

NOTHING_HERE = Message("nothing to check yet: write your code in place of `raise NotImplementedError`")


def verdict(share: float, passed: bool = True, name: str = "one") -> Verdict:
    return Verdict(name, "it asks", share, "passed" if passed else "wrong", None if passed else NOTHING_HERE)


def graded(points: float, *shares: tuple[float, bool]) -> Graded:
    return Graded("test_x", "auto", points, [verdict(share, passed) for share, passed in shares])


@pytest.mark.parametrize(
    ("points", "shares", "earned"),
    [
        (3, [(1 / 3, True), (2 / 3, False)], 1.0),
        (5, [(3 / 7, True), (4 / 7, False)], 2.14),
        (5, [(4 / 7, True), (3 / 7, False)], 2.86),
        (1, [(0.25, True), (0.5, False), (0.25, True)], 0.5),
        (2, [(0.003, True), (0.997, False)], 0.01),
        (2, [(0.002, True), (0.998, False)], 0.0),
        (2, [(0.5, False), (0.5, False)], 0.0),
        (2, [], 0.0),
    ],
)
def test_a_part_of_the_tests_earns_a_part_of_the_points(points, shares, earned):
    given_ = graded(points, *shares)
    assert given_.points == earned
    assert type(given_.points) is float


@pytest.mark.parametrize("points", [1, 2.5, 7])
def test_a_right_answer_earns_all_points_whatever_rounding_makes_of_the_shares(points):
    assert graded(points, *[(0.142, True)] * 7).points == points
    assert type(graded(points, (1.0, True)).points) is float


@pytest.mark.parametrize(("share", "earned"), [(1.5, 2.0), (-0.5, 0.0)])
def test_no_share_leads_out_of_the_range(share, earned):
    assert graded(2, (share, True), (0.5, False)).points == earned


def test_what_a_person_grades_has_no_points_of_ours():
    assert Graded("essay", "manual", 3, [verdict(1.0)]).points is None


@given(st.integers(1, 20), st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=1, max_size=9))
def test_points_are_the_weighted_share_of_passed_tests(points, tests):
    total = sum(weight for weight, _ in tests)
    earned = graded(points, *[(weight / total, passed) for weight, passed in tests]).points
    exact = points * sum(weight for weight, passed in tests if passed) / total
    assert abs(earned - exact) <= 0.005 + 1e-9
    assert 0 <= earned <= points


def test_the_printed_form_has_every_tests_points():
    verdicts = [verdict(3 / 7, name="one"), verdict(4 / 7, passed=False, name="two")]
    assert Graded("test_x", "auto", 5, verdicts).to_json() == {
        "id": "test_x",
        "kind": "auto",
        "points": 2.14,
        "max_points": 5,
        "tests": [
            {
                "name": "one",
                "points": 2.14,
                "max_points": 2.14,
                "passed": True,
                "reason": "",
                "mistake": None,
                "also": None,
            },
            {
                "name": "two",
                "points": 0.0,
                "max_points": 2.86,
                "passed": False,
                "reason": NOTHING_HERE.render(),
                "mistake": None,
                "also": None,
            },
        ],
    }
    french = Graded("test_x", "auto", 5, verdicts).to_json("fr")["tests"][1]["reason"]
    assert french == NOTHING_HERE.render("fr") != NOTHING_HERE.render("en")


def test_a_verdict_comes_back_from_json():
    detail = Message("expected {expected}, got {got}", {"expected": 1.5, "got": Message("nothing")})
    for one in (verdict(0.3), Verdict("two", "it asks", 0.7, "wrong", detail, "by_width")):
        assert verdict_from_json(json.loads(json.dumps(verdict_to_json(one)))) == one


def test_a_result_is_printed_whole():
    questions = [graded(2, (1.0, True)), Graded("essay", "manual", 3)]
    result = Result("attention", questions, {"cell": []}, [NOTHING_HERE], ["odd"], 3, 1.23456, 0.98765)
    assert result.to_json("fr") == {
        "lesson": "attention",
        "questions": [question.to_json("fr") for question in questions],
        "mended": [NOTHING_HERE.render("fr")],
        "flags": ["odd"],
        "seed": 3,
        "seconds": 1.235,
        "cpu_seconds": 0.988,
    }
    assert result.to_json()["mended"] == [NOTHING_HERE.render()]


def test_a_question_is_found_by_its_id():
    result = Result("attention", [graded(2), Graded("essay", "manual", 3)])
    assert result.question("essay").max_points == 3
    assert result.question("none") is None
    assert (result.outputs, result.mended, result.flags) == ({}, [], [])
    assert (result.seed, result.seconds, result.cpu_seconds) == (0, 0.0, 0.0)
