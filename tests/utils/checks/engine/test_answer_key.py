"""The public checks' stored answers: written, read again, and recognised."""

import json

import pytest
import torch

from utils.checks.engine import answer_key
from utils.checks.engine.answer_key import StoredKey, store_answers, store_pairs
from utils.checks.engine.naming import Match
from utils.checks.engine.observation import Observation, Tolerance, difference
from utils.checks.engine.pair_prints import print_of
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question
from utils.common.errors import WorkbookError


def stored_and_read(function, reference, mutants: dict, tmp_path, monkeypatch, pairs=(), **tolerances) -> tuple:
    """A question of one test, and its answers, written and read again.

    pairs: (two mistakes, the objects of a student who makes both).
    """
    question = Question("q", "Q", {})
    question.test("asks", **tolerances)(function)
    (test,) = question.tests.values()
    stored = store_answers(question, (reference,), {name: (mutant,) for name, mutant in mutants.items()})
    monkeypatch.setattr(answer_key.lessons, "file", lambda lesson, name: tmp_path / f"{lesson}.json")
    says = {name: f"You made {name}." for name in mutants}
    classes = {"both": {"of": list(mutants), "says": "Either."}}
    content = {"questions": {"q": stored}, "says": says, "whys": [], "classes": classes}
    content["pairs"] = {"q": store_pairs(question, stored, pairs)}
    (tmp_path / "x.json").write_text(json.dumps(content))
    return test, StoredKey.of("x", "q"), stored


def test_an_answer_comes_back_from_its_file(tmp_path, monkeypatch):
    x = torch.tensor([[1.0, -2.5], [3.25, 4.0]], dtype=torch.float64)
    answer = {"x": x, "n": 3, "f": 2.5, "t": ["a", None, True], "e": torch.zeros(0, 2), "s": torch.tensor(1.5)}
    test, key, _ = stored_and_read(lambda probe, value: value, answer, {}, tmp_path, monkeypatch)
    back = key.expected(test)
    assert back["x"].dtype == torch.float64
    assert difference(back, {**answer, "t": ["a", None, True]}, Tolerance(0, 0), {}) is None
    assert torch.equal(back["x"], x) and back["e"].shape == (0, 2) and back["s"].shape == ()


def test_numbers_are_stored_with_seven_digits_of_the_largest(tmp_path, monkeypatch):
    x = torch.tensor([123.456789, 0.000123456, float("inf"), float("nan")], dtype=torch.float64)
    _, _, stored = stored_and_read(lambda probe, value: [value, 0.123456789], x, {}, tmp_path, monkeypatch)
    array, number = next(iter(stored.values()))["expected"]
    assert array["values"][:3] == [123.4568, 0.0001, float("inf")] and array["shape"] == [4]
    assert number == 0.1234568


def test_a_statistic_is_stored_with_its_tolerance(tmp_path, monkeypatch):
    test, key, _ = stored_and_read(lambda probe, x: probe.approx(x, atol=0.1), 0.5, {}, tmp_path, monkeypatch)
    probe = Probe({}, 0)
    assert difference(probe.approx(0.59, 0.1), key.expected(test), Tolerance(1e-4, 1e-5), {}) is None
    assert difference(probe.approx(0.61, 0.1), key.expected(test), Tolerance(1e-4, 1e-5), {}) is not None


def test_a_mistake_that_a_test_cannot_see_looks_like_the_reference(tmp_path, monkeypatch):
    x = torch.ones(3)
    mutants = {"seen": 2 * x, "unseen": x + 1e-6}
    test, key, stored = stored_and_read(lambda probe, value: value, x, mutants, tmp_path, monkeypatch)
    assert list(next(iter(stored.values()))["mistakes"]) == ["seen"] == key.mistakes()
    shown = {(m, v): key.shows(m, test, Observation(v * x)) for m in mutants for v in (1, 2)}
    assert [one for one, match in shown.items() if match is Match.SAME] == [("seen", 2), ("unseen", 1)]
    assert set(shown.values()) == {Match.SAME, Match.OTHER}
    assert (key.passes("seen", test), key.passes("unseen", test)) == (False, True)
    assert key.sentence(frozenset({"seen"})) == ("seen", "You made seen.")
    assert key.sentence(frozenset(mutants)) == ("both", "Either.")
    assert key.sentence(frozenset({"seen", "another"})) is None


def test_what_a_mistake_shows_by_chance_is_nothing_to_know_it_by(tmp_path, monkeypatch):
    mutants = {"chance": lambda: torch.rand(3), "nan": lambda: torch.full((3,), float("nan"))}
    test, key, stored = stored_and_read(
        lambda probe, make: make(), lambda: torch.ones(3), mutants, tmp_path, monkeypatch
    )
    assert next(iter(stored.values()))["mistakes"]["chance"] == ["chance"]
    assert key.shows("chance", test, Observation(torch.ones(3))) is Match.CHANCE
    assert key.shows("nan", test, Observation(torch.full((3,), float("nan")))) is Match.SAME


def test_what_rounding_decides_is_nothing_to_know_a_mistake_by(tmp_path, monkeypatch):
    """Rounding decides whether the sum of 200 probabilities is less than 1: processors add in different orders."""

    def sums(scores: torch.Tensor) -> torch.Tensor:
        return torch.where(scores.softmax(-1).cumsum(-1)[:, -1] < 1, 1.0, 2.0)

    mutants = {"sum": sums, "zero": lambda scores: torch.zeros(9)}
    both = [(("sum", "zero"), (lambda scores: 3 * sums(scores),))]
    test, key, _ = stored_and_read(
        lambda probe, answer: answer(probe.normal(9, 200)),
        lambda scores: torch.full((9,), 5.0),
        mutants,
        tmp_path,
        monkeypatch,
        pairs=both,
    )
    assert key.shows("sum", test, Observation(torch.ones(9))) is Match.CHANCE
    assert key.shows("zero", test, Observation(torch.zeros(9))) is Match.SAME
    for number in (3.0, 6.0):
        assert key.both_show(both[0][0], test, print_of(Observation(torch.full((9,), number)), test.tolerance))


def test_answers_are_computed_in_double_precision_and_the_default_is_put_back(tmp_path, monkeypatch):
    kinds = []

    def function(probe, value):
        kinds.append((torch.get_default_dtype(), probe.normal(2).dtype))
        return value

    stored_and_read(function, 1.0, {"a": 2.0}, tmp_path, monkeypatch)
    assert set(kinds) == {(torch.float64, torch.float64)}
    assert torch.get_default_dtype() == torch.float32
    with pytest.raises(WorkbookError, match=r"The reference fails in q\.fails: .*ZeroDivisionError"):

        def fails(probe, value):
            return 1 / 0

        stored_and_read(fails, 1.0, {}, tmp_path, monkeypatch)
    assert torch.get_default_dtype() == torch.float32


def test_a_print_of_two_mistakes_is_stored_where_the_single_ones_do_not_tell_what_both_show(tmp_path, monkeypatch):
    x = torch.tensor([1.5, 2.25, -0.75])
    mutants = {"double": 2 * x, "minus": -x, "unseen": x, "blind": x}
    pairs = [(("double", "minus"), (-2 * x,)), (("double", "unseen"), (2 * x,)), (("unseen", "blind"), (x + 1,))]
    test, key, _ = stored_and_read(lambda probe, value: value, x, mutants, tmp_path, monkeypatch, pairs)

    def shown(pair, value):
        return key.both_show(pair, test, print_of(Observation(value), test.tolerance))

    assert list(key.pairs()) == [pair for pair, _ in pairs]
    assert [shown(("double", "minus"), factor * x) for factor in (-2, 2, -1, 1)] == [True, False, False, False]
    assert shown(("double", "unseen"), 2 * x) is None  # what `double` shows alone
    assert (shown(("unseen", "blind"), x + 1), shown(("unseen", "blind"), x)) == (True, False)  # neither alone is seen


def test_a_random_result_of_two_mistakes_fits_every_result(tmp_path, monkeypatch):
    mutants = {"double": lambda: torch.full((3,), 2.0), "minus": lambda: -torch.ones(3)}
    pairs = [(("double", "minus"), (lambda: -2 * torch.rand(3),))]
    test, key, _ = stored_and_read(
        lambda probe, make: make(), lambda: torch.ones(3), mutants, tmp_path, monkeypatch, pairs
    )
    assert key.both_show(("double", "minus"), test, print_of(Observation(torch.zeros(3)), test.tolerance)) is True


def test_a_mistake_that_a_test_hardly_sees_is_refused(tmp_path, monkeypatch):
    x = torch.tensor([1.0, -2.0, 4.0])
    mutants = {"unseen": x + 1e-6, "near": x + 1e-3}
    with pytest.raises(WorkbookError, match=r"q\.<lambda> hardly tells near from a right answer"):
        stored_and_read(lambda probe, value: value, x, mutants, tmp_path, monkeypatch)
    stored_and_read(lambda probe, value: value, x, mutants | {"near": x + 0.1}, tmp_path, monkeypatch)


def test_with_known_answers_a_mistake_that_gives_its_print_is_run_once_and_another_is_stored_anew():
    runs = []

    def function(probe, wrong):
        runs.append(wrong)
        return torch.tensor(2.0 + wrong)

    question = Question("q", "Q", {})
    question.test("asks")(function)
    mutants = {"one": (1.0,), "nan": (float("nan"),)}
    stored = store_answers(question, (0.0,), mutants)
    assert len(runs) == 2 + 2 * 3
    runs.clear()
    assert str(store_answers(question, (0.0,), mutants, json.loads(json.dumps(stored)))) == str(stored)
    assert len(runs) == 2 + 2
    mutants["one"] = (3.0,)
    changed = store_answers(question, (0.0,), mutants, stored)["function"]["mistakes"]["one"]
    assert changed != stored["function"]["mistakes"]["one"] and len(runs) == 2 + 2 + 2 + 4
