"""A student's guesses: written before a training, and shown beside its results.

A lesson keeps guesses in a dictionary by the names of its results. Before a training there is a cell such as

    guesses["task 1: convolutions"] = ...  # squared heights

in which the student puts a number in place of the dots. Nothing is graded. The training's own cell compares the guess
with the result (`verdict`): the text around it says nothing about the result, so that nobody reads it before guessing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from utils.common.messages import N_, said

# The most characters of a guess that is not a number, because a longer one would make the table too wide.
MOST_CHARACTERS = 20


def guessed(guesses: Mapping[str, Any], name: str) -> str:
    """Return the guess for a result as text, "" if the student has not made one."""
    guess = guesses.get(name, ...)
    if guess is ...:
        return ""
    return f"{guess:g}" if isinstance(guess, int | float) else str(guess)[:MOST_CHARACTERS]


# A guess that is at most 1.25 times as large as the result, or as small, is well guessed; so is one within 3 points.
CLOSE, CLOSE_POINTS = 1.25, 3


def verdict(guesses: Mapping[str, Any], results: Mapping[str, float], *, points: bool = False) -> None:
    """Print how far each guess is from its result; nothing for a result that the student made no guess about.

    points: guesses and results are per cent or BLEU, whose difference counts; otherwise their quotient counts.
    """
    for line in verdicts(guesses, results, points=points):
        print(line)


def verdicts(guesses: Mapping[str, Any], results: Mapping[str, float], *, points: bool = False) -> Iterator[str]:
    """Yield the lines of `verdict` in the notebook's language."""
    for name, result in results.items():
        if not (shown := guessed(guesses, name)):
            continue
        values = {"name": said(name), "guess": shown, "result": f"{result:.0f}" if points else f"{result:.2g}"}
        guess = guesses[name]
        if not isinstance(guess, int | float) or guess != guess:
            yield said(N_("{name}: you guessed {guess}; it is {result}."), **values)
        elif points and 0 < guess < 1 <= result:
            percent = f"{100 * guess:.0f}"
            sentence = N_(
                "{name}: you guessed {guess}; if that is a share, it is {percent} in a hundred. It is {result}."
            )
            yield said(sentence, **values, percent=percent)
        elif points:
            yield _by_difference(result - guess, values)
        else:
            yield _by_quotient(result / guess if guess > 0 < result else 0.0, values)


def _by_difference(more: float, values: dict[str, str]) -> str:
    values = values | {"points": f"{abs(more):.0f}"}
    if abs(more) <= CLOSE_POINTS:
        return said(N_("{name}: you guessed {guess}; it is {result}. Well guessed."), **values)
    higher = N_("{name}: you guessed {guess}; it is {result}, higher by {points}.")
    lower = N_("{name}: you guessed {guess}; it is {result}, lower by {points}.")
    return said(higher if more > 0 else lower, **values)


def _by_quotient(times: float, values: dict[str, str]) -> str:
    if times <= 0:
        return said(N_("{name}: you guessed {guess}; it is {result}."), **values)
    if 1 / CLOSE <= times <= CLOSE:
        return said(N_("{name}: you guessed {guess}; it is {result}. Well guessed."), **values)
    higher = N_("{name}: you guessed {guess}; it is {result}, {times} times as much.")
    lower = N_("{name}: you guessed {guess}; it is {result}, {times} times less.")
    return said(higher if times > 1 else lower, **values, times=f"{max(times, 1 / times):.2g}")


def with_guesses(
    rows: Sequence[Sequence[str]], heads: Sequence[str], guesses: Mapping[str, Any]
) -> tuple[list[Sequence[str]], Sequence[str]]:
    """Return a table's rows and heads with the guesses as second column; unchanged without guesses.

    rows: the first text of each row is the name of a result.
    """
    column = [guessed(guesses, name) for name, *_ in rows]
    if not any(column):
        return list(rows), heads
    wider: list[Sequence[str]] = [(name, guess, *others) for (name, *others), guess in zip(rows, column, strict=True)]
    return wider, (heads[0], N_("your guess"), *heads[1:])
