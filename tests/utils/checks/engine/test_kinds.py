"""What kind of difference lies between a result and the right one: said only where it is true of every number."""

import numpy as np
import pytest
import torch

from utils.checks.engine.kinds import kind_of
from utils.checks.engine.observation import Tolerance

WANT = np.random.RandomState(5).standard_normal((5, 6, 7)) + 3
SHARES = WANT / WANT.sum(axis=2, keepdims=True)
OTHER = np.random.RandomState(6).standard_normal((5, 6, 7))


def kind(seen, want=WANT) -> str | None:
    found = kind_of({"x": torch.tensor(seen)}, {"x": torch.tensor(want)}, Tolerance(1e-4, 1e-5), {"N": 5, "E": 7})
    return found.render() if found else None


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        (7**0.5 * WANT, "all values are the right ones times 2.646 (√E)"),
        (WANT / 5, "all values are the right ones times 0.2 (1/N)"),
        (3.21 * WANT, "all values are the right ones times 3.21"),
        (-WANT, "right except for the sign of all values"),
        (WANT + 0.5, "all values differ from the right ones by the same number, +0.5"),
        (WANT * np.arange(1, 7)[:, None], "each row is a multiple of the right one, each with its own factor"),
        (WANT.transpose(0, 2, 1), "the right values with axes exchanged: after `permute(0, 2, 1)` all would be right"),
        (WANT.reshape(5, 42), "the right values in the right order, but in another shape"),
        (np.where(np.arange(6)[:, None] == 2, OTHER, WANT), "all values are right except those at [:, 2]"),
        (np.where(np.arange(7) % 5 == 1, OTHER, WANT), "all values are right except those at [:, :, [1, 6]]"),
        (np.roll(WANT, 1, axis=1), "right, but one place too late along axis 1"),
        (np.roll(WANT, -1, axis=0), "right, but one place too early along axis 0"),
        (WANT[:, :, ::-1].copy(), "right, but in the opposite order along axis 2"),
        (WANT.ravel()[np.random.RandomState(7).permutation(210)].reshape(5, 6, 7), "the right values in another order"),
        (np.full((5, 6, 7), 2.0), "all values are the same, and should not be"),
        (OTHER, "the shape is right, but the values have little to do with the right ones"),
        (WANT + 0.3 * OTHER, None),
        (OTHER.transpose(1, 0, 2), "the axes are in another order"),
        (OTHER.mean(), "a single number where there should be 210"),
        (OTHER[:, :, :4], "axis 2 is too short by 3, the others are right"),
        (np.concatenate([OTHER, WANT], axis=1), "axis 1 is too long by 6, the others are right"),
        (OTHER[:, :, :6], None),  # as long as axis 1: perhaps that axis, twice
        (OTHER[:, 0, :4], None),
        (np.where(OTHER > 0, np.nan, WANT), None),
        (np.full((5, 6, 7), 1e300) * OTHER, "the shape is right, but the values have little to do with the right ones"),
    ],
)
def test_the_kind_of_a_difference(seen, says):
    assert kind(seen) == says


def test_sums_of_shares():
    other = WANT / WANT.sum(axis=1, keepdims=True)
    assert kind(other, SHARES) == "the values should add up to 1 along axis 2; yours do along axis 1"
    assert kind(SHARES + 0.01 * OTHER, SHARES) == "the values should add up to 1 along axis 2; yours do not"


def test_the_first_part_that_differs_is_described_and_a_few_numbers_are_no_kind():
    want = {"a": torch.tensor(WANT), "b": torch.tensor(WANT), "c": 2.5}
    seen = want | {"b": -torch.tensor(WANT), "c": 5.0}
    assert kind_of(seen, want, Tolerance(1e-4, 1e-5), {}).render() == "right except for the sign of all values"
    assert kind_of(want | {"c": 5.0}, want, Tolerance(1e-4, 1e-5), {}) is None
    assert kind_of(want, want, Tolerance(1e-4, 1e-5), {}) is None
    assert kind(np.ones(6), np.zeros(6)) is kind(2 * np.eye(3), np.eye(3)) is None


def test_an_array_of_very_many_axes_takes_no_time():
    assert kind(WANT.reshape(5, 6, 7, *[1] * 50)) == "the right values in the right order, but in another shape"
