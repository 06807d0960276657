"""Feedback on hidden tests, without the values that they expect.

A value that comes back could be copied into the next try. So a sentence that quotes an expected value, or a number from
which one follows, is replaced by a sentence that says what the student's code gave, or how much of it is wrong. What
kind of difference it is, names of mistakes and shapes stay: they help to mend the code, and cannot be copied.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from utils.checks.engine.kinds import SHIFTED, TIMES
from utils.checks.engine.naming import Catalogue, no_limit
from utils.checks.engine.observation import EXPECTED, EXPECTED_ABOUT, EXPECTED_AT, Observation
from utils.checks.engine.outcome import Verdict
from utils.checks.engine.question import Question, Test
from utils.checks.engine.verdict import judge
from utils.common.messages import N_, Message

Values = Mapping[str, Any]


def judge_discreetly(
    question: Question, key: Catalogue, run: Callable[[Test], Observation], patience: Callable[[], None] = no_limit
) -> list[Verdict]:
    """Judge as `judge` does, but no verdict's reason contains an expected value."""
    verdicts = judge(question, key, run, patience)
    return [replace(verdict, reason=verdict.reason and without_values(verdict.reason)) for verdict in verdicts]


def without_values(message: Message) -> Message:
    """Return a message, and those inside it, with the sentences that quote expected values replaced."""
    values = {name: without_values(v) if isinstance(v, Message) else v for name, v in message.values.items()}
    rewrite = REPLACED.get(message.template)
    return rewrite(values) if rewrite else Message(message.template, values)


def _of_value(values: Values) -> Message:
    if "form" in values:
        return Message(N_("expected {form}, got {got}"), {"form": values["form"], "got": values["got"]})
    return Message(N_("your code gives {got}, which is not right"), {"got": values["got"]})


def _of_statistic(values: Values) -> Message:
    return Message(N_("your code gives {got}, which is too far from the right value"), {"got": values["got"]})


def _of_array(values: Values) -> Message:
    """Say roughly how many values are wrong: their exact number and place would tell which guesses were right."""
    count, total = values["count"], values["total"]
    if count == total:
        return Message(N_("none of the {total} values is right"), {"total": total})
    share = (
        N_("most of the {total} values are wrong") if 2 * count > total else N_("some of the {total} values are wrong")
    )
    return Message(share, {"total": total})


def _of_factor(values: Values) -> Message:
    if "form" in values:
        return Message(TIMES, {"factor": values["form"]})
    return Message(N_("all values are the right ones, multiplied by the same number"))


def _of_shift(values: Values) -> Message:
    return Message(N_("all values differ from the right ones by the same number"))


REPLACED: dict[str, Callable[[Values], Message]] = {
    EXPECTED: _of_value,
    EXPECTED_ABOUT: _of_statistic,
    EXPECTED_AT: _of_array,
    TIMES: _of_factor,
    SHIFTED: _of_shift,
}
