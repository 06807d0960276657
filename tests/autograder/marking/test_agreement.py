"""How far two graders agree, beside scikit-learn's kappa."""

import random
from types import SimpleNamespace

import pytest

from autograder.essays.marks import AnswerRecord, Mark, SecondMark
from autograder.essays.rubric import Item, Rubric
from autograder.marking.view import agreement

RUBRIC = Rubric((Item("a", 1, {}, {}), Item("b", 1, {}, {})))


def card(first: list[str] | None, second: list[str] | None, revision: int = 0) -> SimpleNamespace:
    mark = None if first is None else Mark(first, 0, revision, "", "", "", "")
    return SimpleNamespace(record=AnswerRecord(0, mark, (), None if second is None else SecondMark(second, "", "")))


@pytest.mark.parametrize("seed", range(5))
def test_kappa_is_that_of_scikit_learn_and_the_counts_are_counted(seed):
    # Here, because each worker collects all tests, and scikit-learn takes three seconds to load.
    from sklearn.metrics import cohen_kappa_score

    rng = random.Random(seed)
    pairs = [(rng.random() < 0.6, rng.random() < 0.4) for _ in range(30)]
    cards = {str(n): card(["a"] * one, ["a"] * two) for n, (one, two) in enumerate(pairs)}
    found = agreement(RUBRIC, cards)["items"]["a"]
    first, second = zip(*pairs, strict=True)
    assert found["kappa"] == pytest.approx(cohen_kappa_score(first, second), abs=0.005)
    assert found["agreed"] == pairs.count((True, True)) + pairs.count((False, False))
    assert (found["only_first"], found["only_second"]) == (pairs.count((True, False)), pairs.count((False, True)))


def test_only_answers_that_both_marked_are_compared():
    cards = {"both": card(["a"], ["a", "b"]), "first": card(["b"], None), "second": card(None, ["b"])}
    found = agreement(RUBRIC, cards)
    assert found["answers"] == 1
    assert found["items"]["a"] == {"agreed": 1, "only_first": 0, "only_second": 0, "kappa": None}
    assert found["items"]["b"] == {"agreed": 0, "only_first": 0, "only_second": 1, "kappa": 0.0}


def test_where_nothing_was_marked_twice_nothing_is_told():
    assert agreement(RUBRIC, {"x": card(["a"], None)}) == {"answers": 0, "items": {}} == agreement(RUBRIC, {})


def test_a_split_item_counts_as_given_by_the_first_mark_from_before():
    split = Rubric((*RUBRIC.items, Item("a2", 1, {}, {}, "a", 1)), 1)
    found = agreement(split, {"x": card(["a"], ["a", "a2"])})["items"]
    assert found["a2"]["agreed"] == 1 and found["b"]["agreed"] == 1
