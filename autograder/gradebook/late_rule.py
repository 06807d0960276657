"""The rule for late work in one line of text: what is lost so many seconds after the due date.

    "10 % a day, grace 15 min, cap 50 %"     of the points earned, for each day begun
    "0.5 points an hour"
    "10/30/60 % a day, none after 3 days"    60 % on the third day; later work has no points
    "none after 0 days"                      no late work

The rule is in `course.toml`, of the term or of a lesson, else nbgrader's `c.LatePolicy.rule`. Within the grace period
nothing is lost; beyond it, lateness counts from the due date.
"""

import math
import re
from dataclasses import dataclass
from typing import Any

from traitlets.config import Config

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.sentences import Number
from autograder.common.times import SECONDS
from utils.common.messages import N_, Message

DAY = 86400
NUMBER = r"(\d+(?:\.\d+)?)"
RATE = re.compile(r"(\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?)*) ?(%|points?) (?:an?|per) (hour|day)")
GRACE = re.compile(rf"grace {NUMBER} ?({'|'.join(SECONDS)})")
END = re.compile(rf"none after {NUMBER} ?({'|'.join(SECONDS)})")
CAP = re.compile(rf"cap {NUMBER} ?(%|points?)")


@dataclass(frozen=True)
class Rule:
    """The penalty: a share of the points earned or a number of points, for each `unit` of seconds begun.

    steps: the penalty after one unit, two, …; a single step is the penalty of each unit. end: seconds after which
    nothing is earned.
    """

    steps: tuple[float, ...]
    share: bool
    unit: int
    grace: float = 0.0
    cap: float = math.inf
    cap_share: bool = True
    end: float = math.inf

    def penalty(self, score: float, seconds: float) -> float:
        """Return the points that are lost `seconds` after the due date, at most the score."""
        if seconds <= self.grace:
            return 0.0
        if seconds > self.end:
            return score
        units = math.ceil(seconds / self.unit)
        several = len(self.steps) > 1
        lost = self.steps[min(units, len(self.steps)) - 1] if several else self.steps[0] * units
        lost *= score if self.share else 1
        most = self.cap * (score if self.cap_share else 1) if self.cap < math.inf else math.inf
        return min(lost, most, score)


def read_rule(text: str) -> Rule | None:
    """Return the rule in a line of text, None for an empty line. Raises: GradingError when it cannot be read."""
    if not text.strip():
        return None
    rate, values, known = None, dict[str, Any](), True
    for part in (part.strip() for part in text.split(",")):
        if first := RATE.fullmatch(part) if rate is None else None:
            rate = first
        elif end := END.fullmatch(part):
            values["end"] = float(end[1]) * SECONDS[end[2]]
        elif grace := GRACE.fullmatch(part):
            values["grace"] = float(grace[1]) * SECONDS[grace[2]]
        elif cap := CAP.fullmatch(part):
            values |= {"cap": float(cap[1]) / (100 if cap[2] == "%" else 1), "cap_share": cap[2] == "%"}
        else:
            known = False
    if not known or not (rate or "end" in values):
        raise GradingError(
            "The rule for late work {rule!r} cannot be read; write for instance "
            '"10 % a day, grace 15 min, cap 50 %", "0.5 points an hour, cap 3 points" or "none after 2 days".',
            rule=text,
        )
    if rate is None:
        return Rule((0.0,), True, DAY, **values)
    share = rate[2] == "%"
    steps = tuple(float(number) / (100 if share else 1) for number in rate[1].split("/"))
    return Rule(steps, share, SECONDS[rate[3]], **values)


def rule_of(course: Course, config: Config, lesson_name: str) -> str:
    """Return a lesson's rule for late work, "" for none."""
    own = course.settings.late_rule(lesson_name)
    return str(config.LatePolicy.get("rule", "")) if own is None else own


def described(text: str, language: str) -> str:
    """Return a course's rule as students read it, "" without a rule. Raises: GradingError."""
    if (rule := read_rule(text)) is None:
        return ""
    unit = N_("{lost} for each hour begun") if rule.unit == SECONDS["hour"] else N_("{lost} for each day begun")
    if len(rule.steps) > 1:
        unit = N_("{lost} on the first, second … day") if rule.unit == DAY else N_("{lost} in the first, second … hour")
    lost = ", ".join(_lost(step, rule.share, language) for step in rule.steps)
    parts = [Message(unit, {"lost": lost})] if any(rule.steps) else []
    if rule.end < math.inf:
        parts.append(Message(N_("no points after {hours} h"), {"hours": f"{Number(rule.end / 3600, language):g}"}))
    if rule.cap < math.inf:
        parts.append(Message(N_("at most {lost}"), {"lost": _lost(rule.cap, rule.cap_share, language)}))
    if rule.grace:
        parts.append(
            Message(N_("none in the first {minutes} min"), {"minutes": f"{Number(rule.grace / 60, language):g}"})
        )
    return ", ".join(part.render(language) for part in parts)


def _lost(number: float, share: bool, language: str) -> str:
    if share:
        return f"{Number(100 * number, language):g} %"
    one = Message(N_("1 point"))
    return (one if number == 1 else Message(N_("{points} points"), {"points": f"{Number(number, language):g}"})).render(
        language
    )
