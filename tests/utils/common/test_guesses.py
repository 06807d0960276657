"""A guess stands beside the result that it was about, and only where the student has made one."""

import math

import pytest

from utils.common.guesses import guessed, verdict, verdicts, with_guesses
from utils.common.messages import LANGUAGE_VARIABLE

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


def test_the_verdict_says_how_many_times_a_guess_is_off():
    guesses = {"a": 0.5, "b": 0.5, "c": 0.5, "d": ..., "e": "much", "f": 0, "g": math.nan}
    results = {"a": 0.05, "b": 4.0, "c": 0.55, "d": 1.0, "e": 1.0, "f": 1.0, "g": 1.0, "not asked": 1.0}
    assert list(verdicts(guesses, results)) == [
        "a: you guessed 0.5; it is 0.05, 10 times less.",
        "b: you guessed 0.5; it is 4, 8 times as much.",
        "c: you guessed 0.5; it is 0.55. Well guessed.",
        "e: you guessed much; it is 1.",
        "f: you guessed 0; it is 1.",
        "g: you guessed nan; it is 1.",
    ]


def test_of_shares_the_verdict_says_the_difference():
    guesses = {"a": 50, "b": 50, "c": 50}
    assert list(verdicts(guesses, {"a": 94.2, "b": 0, "c": 52}, points=True)) == [
        "a: you guessed 50; it is 94, higher by 44.",
        "b: you guessed 50; it is 0, lower by 50.",
        "c: you guessed 50; it is 52. Well guessed.",
    ]


def test_a_share_where_a_percentage_was_asked_is_told():
    (line,) = verdicts({"table": 0.6}, {"table": 66.0}, points=True)
    assert line == "table: you guessed 0.6; if that is a share, it is 60 in a hundred. It is 66."
    (line,) = verdicts({"table": 0.6}, {"table": 0.4}, points=True)  # a result this small may be meant
    assert "share" not in line


@pytest.mark.parametrize(
    ("language", "ends"), [("en", "10 times less."), ("fr", "10 fois moins."), ("zh", "只有猜测的 1/10")]
)
def test_the_verdict_is_printed_in_the_notebooks_language(capsys, monkeypatch, language, ends):
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    verdict({"a": 0.5}, {"a": 0.05})
    assert ("0.05" in (printed := capsys.readouterr().out)) and ends in printed
