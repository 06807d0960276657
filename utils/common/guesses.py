"""A student's guesses: written before a training, and shown beside its results.

A lesson keeps guesses in a dictionary by the names of its results. Before a training there is a cell such as

    guesses["task 1: convolutions"] = ...  # squared heights

in which the student puts a number in place of the dots. Nothing is graded.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from utils.common.messages import N_

# The most characters of a guess that is not a number, because a longer one would make the table too wide.
MOST_CHARACTERS = 20


def guessed(guesses: Mapping[str, Any], name: str) -> str:
    """Return the guess for a result as text, "" if the student has not made one."""
    guess = guesses.get(name, ...)
    if guess is ...:
        return ""
    return f"{guess:g}" if isinstance(guess, int | float) else str(guess)[:MOST_CHARACTERS]


def with_guesses(
    rows: Sequence[Sequence[str]], heads: Sequence[str], guesses: Mapping[str, Any]
) -> tuple[list[Sequence[str]], Sequence[str]]:
    """Return a table's rows and heads with the guesses as second column; unchanged if there are no guesses.

    rows: the first text of each row is the name of a result.
    """
    column = [guessed(guesses, name) for name, *_ in rows]
    if not any(column):
        return list(rows), heads
    wider: list[Sequence[str]] = [(name, guess, *others) for (name, *others), guess in zip(rows, column, strict=True)]
    return wider, (heads[0], N_("your guess"), *heads[1:])
