"""A guess stands beside the result that it was about, and only where the student has made one."""

import math

from utils.common.guesses import guessed, with_guesses

ROWS = [("convolutions", "3.1760"), ("with attention", "0.0052")]
HEADS = ("model", "error")


def test_a_table_without_guesses_stays_as_it_is():
    untouched = {"convolutions": ..., "with attention": ...}
    assert with_guesses(ROWS, HEADS, untouched) == with_guesses(ROWS, HEADS, {}) == (ROWS, HEADS)


def test_a_guess_stands_beside_its_result():
    rows, heads = with_guesses(ROWS, HEADS, {"with attention": 0.5, "another training": 7})
    assert heads == ("model", "your guess", "error")
    assert rows == [("convolutions", "", "3.1760"), ("with attention", "0.5", "0.0052")]


def test_whatever_is_guessed_is_shown_and_breaks_nothing():
    guesses = {"a": 12, "b": math.nan, "c": "less than the other one, " * 9, "d": None, "e": 0}
    assert [guessed(guesses, name) for name in "abcdef"] == ["12", "nan", "less than the other ", "None", "0", ""]
