"""Comparing numbers: what lies just inside the tolerance agrees, what lies just outside does not."""

import json
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from utils.checks.engine.failure import Failure
from utils.checks.engine.observation import (
    DIGITS,
    NOTHING,
    PROJECTIONS,
    Observation,
    Tolerance,
    agree,
    describe,
    difference,
    fingerprint,
    leaves,
    name_shape,
    recognises,
    round_to,
    same,
)
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question, observe
from utils.checks.engine.verdict import judge

TOLERANCE = Tolerance(rtol=0.01, atol=0.002)
# Far enough from the bound that rounding does not decide, and near enough that no other bound would do.
INSIDE, OUTSIDE = 0.999, 1.001


# ---- |seen - expected| <= atol + rtol · rms(expected) ----------------------------------------------------


@pytest.mark.parametrize("sign", [-1, 1])
def test_every_element_may_differ_by_atol_plus_rtol_times_the_root_mean_square(sign):
    want = np.array([3.0, -4.0, 0.0, 12.0])
    bound = 0.002 + 0.01 * math.sqrt((9 + 16 + 144) / 4)
    for place in range(4):
        for times, close in ((INSIDE, True), (OUTSIDE, False)):
            seen = want.copy()
            seen[place] += sign * times * bound
            assert agree(seen, want, TOLERANCE).tolist() == [close if i == place else True for i in range(4)]
            assert (difference(seen, want, TOLERANCE, {}) is None) == close


def test_infinite_and_undefined_numbers_agree_with_their_like_and_are_left_out_of_the_scale():
    inf, nan = np.inf, np.nan
    want = np.array([2.0, inf, -inf, nan])
    assert agree(want, want, TOLERANCE).all()
    bound = 0.002 + 0.01 * 2
    assert agree(np.array([2 + INSIDE * bound, inf, -inf, nan]), want, TOLERANCE).all()
    assert not agree(np.array([2 + OUTSIDE * bound, -inf, inf, 1.0]), want, TOLERANCE).any()
    assert agree(np.array([inf, nan]), np.array([inf, nan]), TOLERANCE).all()
    assert not agree(np.array([1.0, 0.0]), np.array([inf, nan]), TOLERANCE).any()


numbers = arrays.arrays(
    np.float64, arrays.array_shapes(max_dims=3, max_side=5), elements=st.floats(-1e6, 1e6, allow_subnormal=False)
)


@given(numbers, st.floats(-2, 2), st.randoms(use_true_random=False))
def test_one_element_agrees_when_it_is_within_the_bound(want, times, random):
    place = tuple(random.randrange(n) for n in want.shape)
    bound = TOLERANCE.atol + TOLERANCE.rtol * float(np.sqrt((want**2).sum() / want.size))
    seen = want.copy()
    seen[place] = want[place] + times * bound
    if abs(abs(times) - 1) > 1e-3:
        assert agree(seen, want, TOLERANCE)[place] == (abs(times) < 1)
        assert agree(seen, want, TOLERANCE).sum() >= want.size - 1


@pytest.mark.parametrize(("times", "outcome"), [(INSIDE, "passed"), (OUTSIDE, "wrong")])
def test_a_test_without_a_tolerance_of_its_own_asks_for_four_digits(times, outcome):
    """Within 1e-5 and a ten-thousandth: what float32 leaves after a softmax and two products of matrices."""
    question = Question("one", "One", {})
    question.test("asks")(lambda probe, students: students)

    class Key:
        def expected(self, test):
            return torch.tensor([30.0, 40.0], dtype=torch.float64)

        def mistakes(self):
            return []

    bound = 1e-5 + 1e-4 * math.sqrt((900 + 1600) / 2)
    seen = Key().expected(None) + torch.tensor([0.0, times * bound], dtype=torch.float64)
    (verdict,) = judge(question, Key(), lambda test: observe(test, Probe({}, 0), (seen,)))
    assert verdict.outcome == outcome


# ---- what is said of a difference ------------------------------------------------------------------------


SIZES = {"N": 2, "T": 7, "E": 12}


@pytest.mark.parametrize(
    ("seen", "expected", "says"),
    [
        (torch.zeros(2, 7), torch.zeros(7, 2), "expected shape (T, N) = (7, 2), got (N, T) = (2, 7)"),
        (torch.zeros(3), torch.zeros(7), "expected shape (T,) = (7,), got (3,)"),
        # symbols that fit a wrong size by chance are left out: more of one than expected, or one beside the right size
        (torch.zeros(2, 2, 12), torch.zeros(2, 7, 12), "expected shape (N, T, E) = (2, 7, 12), got (2, 2, 12)"),
        (torch.zeros(2, 7), torch.zeros(2, 8), "expected shape (2, 8), got (2, 7)"),
        (torch.zeros(7, 7), torch.zeros(2, 2), "expected shape (N, N) = (2, 2), got (T, T) = (7, 7)"),
        # a sequence that has the length of another axis: convolutions may shorten it so
        (torch.zeros(2, 1, 12), torch.zeros(2, 1, 7), "expected shape (N, 1, T) = (2, 1, 7), got (2, 1, 12)"),
        (2.0, 1.0, "expected 1, got 2"),
        ("no", "yes", "expected 'yes', got 'no'"),
        (None, "yes", "expected 'yes', got None"),
        ("yes", 1.0, "expected 1, got 'yes'"),
        (2.5, None, "expected None, got 2.5"),
        ([1.0, 2.0], [1.0], "expected (1.0), got (1.0, 2.0)"),
        ([1.0, 5.0], [1.0, 2.0], "result 2: expected 2, got 5"),
        ({"a": 1.0, "b": 3.0}, {"a": 1.0, "b": 2.0}, "b: expected 2, got 3"),
        ({"a": 1.0}, {"b": 1.0}, "expected {b: 1.0}, got {a: 1.0}"),
        ({"a": 2.0, "c": 1.0}, {"a": 1.0, "b": 1.0}, "a: expected 1, got 2"),
        ({"c": 1.0, "a": 1.0}, {"a": 1.0, "b": 1.0}, "expected {a: 1.0, b: 1.0}, got {a: 1.0, c: 1.0}"),
        ([("x", "y"), ("x", "z")], [("x", "y"), ("x", "w")], "result 2: part 2: expected 'w', got 'z'"),
        ([], [1.0], "expected (1.0), got ()"),
        (
            torch.tensor([[1.0, 2.0], [3.5, 5.0]]),
            torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
            "at [1, 0] expected 3, got 3.5 (values that differ: 2 of 4)",
        ),
        (torch.tensor([math.nan, 1.0, math.nan]), torch.ones(3), "values that are NaN: 2 of 3"),
        (
            torch.tensor([1.0, math.nan]),
            torch.tensor([math.nan, 1.0]),
            "at [0] expected nan, got 1 (values that differ: 2 of 2",
        ),
    ],
)
def test_the_smallest_counter_example_is_named(seen, expected, says):
    assert says in difference(seen, expected, TOLERANCE, SIZES).render()


def test_two_numbers_that_differ_late_are_written_with_the_digits_that_differ():
    seen, expected = torch.tensor([1.0, 0.812783]), torch.tensor([1.0, 0.812834])
    assert "at [1] expected 0.81283, got 0.81278" in difference(seen, expected, Tolerance(0.0, 1e-5), SIZES).render()


def test_of_a_single_number_no_place_is_told():
    found = difference(torch.tensor([[5.0]]), torch.tensor([[4.0]]), TOLERANCE, SIZES)
    assert found.render() == "expected 4, got 5"


@pytest.mark.parametrize(
    "value", [1, True, 2.5, "x", None, [], {}, [[1, "a"], {}], {"b": [1.0], "a": None}, 2**70, torch.ones(3)]
)
def test_what_is_equal_does_not_differ(value):
    assert difference(value, value, TOLERANCE, {}) is None


def test_kinds_are_told_apart_where_they_are_no_numbers():
    assert difference(np.array(1.0), True, TOLERANCE, {}) is None
    assert difference("1", 1, TOLERANCE, {}) is not None
    assert difference([], {}, TOLERANCE, {}) is None  # both are empty
    assert difference([], "nothing at all", TOLERANCE, {}) is not None
    assert difference(2**63, 2**63 - 1, TOLERANCE, {}) is not None
    assert difference(-(2**63), np.inf, TOLERANCE, {}) is None


def test_leaves_come_in_one_order_with_their_paths():
    tree = {"b": [1, ("x",)], "a": {"c": torch.tensor(2.0)}, "d": []}
    found = dict(leaves(tree))
    assert list(found) == ["['a']['c']", "['b'][0]", "['b'][1][0]", "['d']"]
    assert found["['a']['c']"].dtype == np.float64
    assert (found["['b'][1][0]"], found["['d']"]) == ("x", "nothing")


def test_complex_numbers_are_pairs_of_numbers():
    ((_, array),) = leaves(torch.tensor([1 + 2j, 3 - 4j]).conj())
    assert array.tolist() == [[1, -2], [3, 4]]


@pytest.mark.parametrize(
    ("tree", "says"),
    [
        (torch.tensor(1.23456), "1.235"),
        (np.zeros((2, 7)), "tensor (N, T) = (2, 7)"),
        (dict.fromkeys("abcd", 1), "{a: 1, b: 1, c: 1, d: 1}"),
        (dict.fromkeys("abcde", 1), "{a: 1, b: 1, c: 1, d: 1, …}"),
        ({"k" * 100: 1}, "{" + "k" * 80 + ": 1}"),
        ([1, 2, 3, 4], "(1, 2, 3, 4)"),
        ([1, 2, 3, 4, 5], "(1, 2, 3, 4, …)"),
        ("x" * 100, "'" + "x" * 79),
    ],
)
def test_a_value_is_described_in_a_few_words(tree, says):
    assert describe(tree, SIZES) == says


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ((2, 7, 12), "(N, T, E) = (2, 7, 12)"),
        ((2, 1, 12), "(N, 1, E) = (2, 1, 12)"),
        ((2, 5), "(2, 5)"),
        ((1, 1), "(1, 1)"),
        ((7,), "(T,) = (7,)"),
        ((3,), "(3,)"),
        ((), "()"),
    ],
)
def test_a_shape_is_written_with_its_symbols(shape, says):
    assert name_shape(shape, SIZES) == says


def test_of_two_symbols_for_one_size_the_first_counts():
    assert name_shape((2,), {"N": 2, "M": 2}) == "(N,) = (2,)"


# ---- failures ---------------------------------------------------------------------------------------------


def test_failures_are_the_same_but_for_addresses_and_cell_numbers():
    one = Failure("ValueError", "no <function f at 0x7f01> in <cell 3> at 0xab")
    assert one.same_as(Failure("ValueError", "no <function g at 0x7f02> in <cell 4> at 0xcd9"))
    assert Failure("RuntimeError", "[torch.DoubleTensor [2]] is at version 2").same_as(
        Failure("RuntimeError", "[torch.FloatTensor [2]] is at version 2")
    )
    assert not one.same_as(Failure("TypeError", one.text))
    assert not one.same_as(Failure("ValueError", "yes <> in <> at "))


def test_observations_are_the_same_when_values_agree_or_failures_are_one():
    one, other = Observation(1.0), Observation(1.0 + 0.5 * (0.002 + 0.01))
    failed = Observation(failure=Failure("ValueError", "x"))
    assert same(one, other, TOLERANCE)
    assert not same(one, Observation(2.0), TOLERANCE)
    assert same(failed, failed, TOLERANCE)
    assert not same(failed, Observation(failure=Failure("ValueError", "y")), TOLERANCE)
    assert not same(one, failed, TOLERANCE) and not same(failed, one, TOLERANCE)


# ---- fingerprints -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "scale", "rounded"),
    [
        (1.23456789, 1.0, 1.234568),
        (123456.789, 100000.0, 123456.8),
        (1.23456789, 99999.0, 1.23),
        (0.00123456789, 0.001, 0.001234568),
        (12345678.9, 12345678.9, 12345680.0),
        (1.0, 0.9 * NOTHING, 0.0),
        (1.5 * NOTHING, NOTHING, 1.5e-9),
        (-1e-12, 1.0, 0.0),
        (math.inf, 1.0, math.inf),
        (1.23456789, math.inf, 1.23456789),
    ],
)
def test_numbers_are_rounded_to_seven_digits_of_their_scale(number, scale, rounded):
    assert round_to(number, scale) == pytest.approx(rounded, rel=1e-12)
    assert math.copysign(1, round_to(-1e-12, 1.0)) == 1  # no minus before a zero
    assert math.isnan(round_to(math.nan, 1.0))


@given(st.floats(1e-8, 1e8), st.floats(-1, 1))
def test_rounding_moves_a_number_by_half_a_unit_of_the_last_digit_at_most(scale, part):
    number = part * scale
    unit = 10.0 ** (math.floor(math.log10(scale)) - DIGITS + 1)
    assert abs(round_to(number, scale) - number) <= 0.5001 * unit
    assert round_to(round_to(number, scale), scale) == round_to(number, scale)


def test_a_fingerprint_is_the_root_mean_square_and_six_projections():
    array = np.array([[3.0, -4.0, 12.0]])
    ((path, shape, *numbers),) = fingerprint(Observation(array))
    weights = np.random.RandomState(3).standard_normal((6, 3)) / math.sqrt(3)
    assert (path, shape, len(numbers)) == ("", [1, 3], 1 + PROJECTIONS)
    assert numbers == pytest.approx([math.sqrt(169 / 3), *(weights @ array[0])], abs=1e-5)


def test_a_fingerprint_of_other_things_is_their_text():
    failure = Observation(failure=Failure("ValueError", "x", "line"))
    assert fingerprint(failure) == ["raised", "ValueError", "x"]
    seen = Observation({"a": "x", "b": [], "c": Probe({}, 0).approx(0.5, 0.1), "d": np.zeros((0, 3))})
    assert fingerprint(seen) == [
        ["['a']", "'x'"],
        ["['b']", "'nothing'"],
        ["['c']", "approx", 0.5, 0.1],
        ["['d']", [0, 3]],
    ]


@pytest.mark.parametrize("part", range(1 + PROJECTIONS))
def test_a_fingerprint_is_recognised_within_three_times_the_tolerance(part):
    array = np.linspace(-1, 2, 11)
    print_ = fingerprint(Observation(array))
    rms = print_[0][2]
    bound = 3 * (TOLERANCE.atol + TOLERANCE.rtol * rms)
    if part == 0:  # the root mean square is the scale itself
        bound /= 1 - 3 * TOLERANCE.rtol
    for times, known in ((INSIDE, True), (OUTSIDE, False)):
        moved = json.loads(json.dumps(print_))
        moved[0][2 + part] += times * bound
        assert recognises(moved, Observation(array), TOLERANCE) == known


def test_what_differs_in_kind_is_not_recognised():
    one = fingerprint(Observation(np.ones((2, 3))))
    assert not recognises(one, Observation(np.ones((3, 2))), TOLERANCE)
    assert not recognises(one, Observation([np.ones((2, 3))]), TOLERANCE)
    assert not recognises(one, Observation("text"), TOLERANCE)
    assert not recognises(fingerprint(Observation([1.0, 2.0])), Observation([1.0]), TOLERANCE)
    assert not recognises(["chance"], Observation(np.ones((2, 3))), TOLERANCE)
    assert recognises(fingerprint(Observation("text")), Observation("text"), TOLERANCE)
    assert not recognises(fingerprint(Observation("text")), Observation("texts"), TOLERANCE)


def test_a_failure_is_recognised_by_class_and_text():
    print_ = fingerprint(Observation(failure=Failure("ValueError", "at 0x12")))
    assert recognises(print_, Observation(failure=Failure("ValueError", "at 0x34", "x = 1")), TOLERANCE)
    assert not recognises(print_, Observation(failure=Failure("ValueError", "in 0x34")), TOLERANCE)
    assert not recognises(print_, Observation(failure=Failure("TypeError", "at 0x12")), TOLERANCE)
    assert not recognises(print_, Observation(1.0), TOLERANCE)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_undefined_and_infinite_numbers_are_recognised(value):
    array = np.array([1.0, value, 2.0])
    assert recognises(fingerprint(Observation(array)), Observation(array), TOLERANCE)
    assert not recognises(fingerprint(Observation(array)), Observation(np.ones(3)), TOLERANCE)
    assert not recognises(fingerprint(Observation(np.ones(3))), Observation(array), TOLERANCE)


@pytest.mark.parametrize(("seen", "near"), [(0.599, True), (0.401, True), (0.601, False), (0.399, False)])
def test_a_statistic_has_a_tolerance_of_its_own(seen, near):
    probe = Probe({}, 0)
    want = probe.approx(0.5, atol=0.1)
    seen = probe.approx(seen, atol=7.0)  # what was seen has no say in how near is near
    assert (difference(seen, want, TOLERANCE, {}) is None) == near
    assert recognises(fingerprint(Observation(want)), Observation(seen), TOLERANCE) == near
    assert "expected about 0.5, got 7" in difference(np.array(7.0), want, TOLERANCE, {}).render()


@pytest.mark.made_up_texts
@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ({"key.bias": 1.0}, "your layer lacks what the text asks for: key.weight"),
        (
            {"key.bias": 1.0, "key.weight": 2.0, "gamma": 0.0},
            "your layer has parameters that the text does not ask for: gamma",
        ),
        (
            {"key.bias": 1.0, "to_k.weight": 2.0},
            "your layer's parameters have other names: to_k.weight instead of key.weight",
        ),
    ],
)
def test_parameters_that_are_missing_or_new_are_told_by_name(seen, told):
    assert difference(seen, {"key.bias": 1.0, "key.weight": 2.0}, TOLERANCE, {}).render() == told


@pytest.mark.parametrize("shapes", [((2, 3), (2, 5), (2, 7)), ((2, 3), (2, 3), (2, 3))])
def test_results_that_have_changed_places_are_told_as_that(shapes):
    want = [torch.rand(shape) for shape in shapes]
    assert difference([want[0], want[2], want[1]], want, TOLERANCE, {}).render() == "results 2 and 3 are swapped"
    assert difference(want, want, TOLERANCE, {}) is None


def test_a_long_text_that_is_cut_off_is_the_same_in_single_and_double_precision():
    text = "modified by an inplace operation: [torch.{}Tensor [3, 7, 5]], " + 300 * "x"
    single, double = (Failure("RuntimeError", text.format(kind)[:299] + "…") for kind in ("Float", "Double"))
    assert single.same_as(double)


@pytest.mark.parametrize(
    "sentence",
    ["the input is changed; leave it as it is", "the illness with this number is not your patient's"],
)
def test_a_truth_that_is_wrong_is_told_by_its_sentence(sentence):
    """Python writes a key with an apostrophe in other quotes than one without."""
    told = difference({"n": 1.0, sentence: True}, {"n": 1.0, sentence: False}, Tolerance(0, 0), {})
    assert told.render("en") == sentence
