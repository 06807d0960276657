"""`course.toml`: what a course sets for itself beside nbgrader's configuration. Imports nothing heavy.

timezone = "Europe/Paris"            the zone of dates without a zone, and of the platforms' times
lessons = ["seq2seq", "attention"]   the lessons of this course, in its order
contact = "teacher@uni.edu"          where students send questions about their marks
markers = ["anna", "ben"]            who divides the answers to each question, see marking/markers.py
assistants = "explain"               what students' coding assistants may do: explain, "none" or "any"
order = 0.5                          most of a question's points for an answer from lines put in order; 0: no lines

[term]                               rules of the whole term
late = "10 % a day, cap 50 %"        what late work costs, see gradebook/late.py
late_days = 5                        a budget of days that each student may be late without a penalty
most_late_days = 2                   the most of them on one lesson
late_days_go = "best"                to the lessons where they help the student most, or "in order" of due dates
drop_lowest = 1                      how many of a student's lowest lessons do not count
keep = "best"                        which attempt of a student counts, or "last"; see intake/attempts.py
attempts = 10                        how many attempts of a student count
pause = "2 min"                      how long after an attempt the next one is graded

[attention]
due = "2030-01-31 23:59"             when it is due, for `workbook open`
late = "none after 0 days"           another rule than the term's
most_late_days = 0                   another number than the term's
droppable = false                    counts even if it is the lowest
keep = "last"                        other rules for attempts than the term's
title = "Devoir 1"                   what the platform calls the assignment
out_of = 20                          the scale of the marks that are given back
weight = 2                           the lesson's weight in the term's total
without = ["why_position"]           questions that are left out
points = { self_attention = 8 }      other points than the workbook's
only = { why_position = "graduate" } questions that count only for the students of a `track` in students.csv
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.common.errors import CourseError
from autograder.common.sentences import T_, translated
from autograder.common.times import SPAN, read_span, zone_of
from autograder.common.toml import TOMLDecodeError, read_toml
from utils.common.messages import N_

NAME = "course.toml"
NUMBER = (int, float)
EXPLAIN, NO_ASSISTANTS, ANY = ASSISTANTS = ("explain", "none", "any")
BEST, IN_ORDER, LAST = "best", "in order", "last"
# The keys of both tables that are rules for attempts.
ATTEMPT_KEYS: dict[str, tuple[Any, str]] = {
    "keep": (str, N_("one of the words best and last")),
    "attempts": (int, N_("a whole number above 0")),
    "pause": (str, N_('a text such as "2 min"')),
}
# The keys of a lesson's table -> (their types, their description in the sentence of an error).
KEYS: dict[str, tuple[Any, str]] = {
    "title": (str, N_("a text")),
    "out_of": (NUMBER, N_("a number")),
    "weight": (NUMBER, N_("a number")),
    "without": (list, N_('a list such as ["why_position"]')),
    "points": (dict, N_("a table such as { self_attention = 8 }")),
    "only": (dict, N_('a table such as { why_position = "graduate" }')),
    "due": (str, N_('a text such as "2030-01-31 23:59"')),
    "late": (str, N_('a text such as "10 % a day, cap 50 %"')),
    "most_late_days": (int, N_("a whole number")),
    "droppable": (bool, N_("true or false")),
    **ATTEMPT_KEYS,
}
TERM = "term"
# The keys of the table of the term.
TERM_KEYS: dict[str, tuple[Any, str]] = {
    "late": KEYS["late"],
    "late_days": (int, N_("a whole number")),
    "most_late_days": (int, N_("a whole number")),
    "late_days_go": (str, f'"{BEST}" or "{IN_ORDER}"'),
    "drop_lowest": (int, N_("a whole number")),
    **ATTEMPT_KEYS,
}


@dataclass(frozen=True)
class AttemptRules:
    """Which of a student's attempts count: at most `most`, and from the first to the next at least `pause` seconds."""

    keep: str = LAST
    most: int | None = None
    pause: float = 0.0


@dataclass(frozen=True)
class LessonSettings:
    """What a course sets for one lesson; `out_of` is None if marks are given back in the lesson's own points."""

    title: str = ""
    out_of: float | None = None
    weight: float = 1.0
    without: tuple[str, ...] = ()
    points: dict[str, float] = field(default_factory=dict)
    only: dict[str, str] = field(default_factory=dict)
    due: str = ""
    late: str | None = None
    most_late_days: int | None = None
    droppable: bool = True
    keep: str | None = None
    attempts: int | None = None
    pause: str | None = None


@dataclass(frozen=True)
class TermSettings:
    """The rules of a term; without `most_late_days` all late days may go to one lesson."""

    late: str | None = None
    late_days: int = 0
    most_late_days: int | None = None
    late_days_go: str = BEST
    drop_lowest: int = 0
    keep: str | None = None
    attempts: int | None = None
    pause: str | None = None


@dataclass(frozen=True)
class CourseFile:
    """A course's settings; an empty `lessons` means all lessons, in their usual order."""

    timezone: str = "UTC"
    lessons: tuple[str, ...] = ()
    by_lesson: dict[str, LessonSettings] = field(default_factory=dict)
    assistants: str = EXPLAIN
    term: TermSettings = TermSettings()
    contact: str = ""
    markers: tuple[str, ...] = ()
    order: float = 0.0

    @classmethod
    def of(cls, course: Path) -> "CourseFile":
        """Return the settings in a course's `course.toml`, the defaults without that file. Raises: CourseError."""
        path = course / NAME
        try:
            status = path.stat()
        except OSError:
            return cls()
        return _read(path, status.st_mtime_ns, status.st_size)

    def of_lesson(self, name: str) -> LessonSettings:
        return self.by_lesson.get(name, LessonSettings())

    def late_rule(self, name: str) -> str | None:
        """Return the rule for late work of a lesson, None if nbgrader's configuration has it."""
        own = self.of_lesson(name).late
        return self.term.late if own is None else own

    def attempt_rules(self, name: str) -> AttemptRules | None:
        """Return a lesson's rules for attempts, None if the course sets none."""
        own, term = self.of_lesson(name), self.term
        pairs = ((getattr(own, key), getattr(term, key)) for key in ATTEMPT_KEYS)
        keep, most, pause = (of_term if of_lesson is None else of_lesson for of_lesson, of_term in pairs)
        if keep is None and most is None and pause is None:
            return None
        return AttemptRules(keep or LAST, most, read_span(pause) if pause else 0.0)

    def most_late_days(self, name: str) -> int:
        """Return how many of the term's late days a student may use for a lesson."""
        own = self.of_lesson(name).most_late_days
        most = self.term.most_late_days if own is None else own
        return self.term.late_days if most is None else most


def with_points(text: str, lesson_name: str, points: dict[str, float]) -> str:
    """Return a `course.toml` in which a lesson's questions have these points; all its other lines stay.

    Raises: CourseError if the lesson's points are not written in one line, points = { … }.
    """
    value = "{ " + ", ".join(f"{name} = {number:g}" for name, number in points.items()) + " }"
    return with_value(text, lesson_name, "points", value, r"\{[^{}]*\}")


def with_value(text: str, lesson_name: str, key: str, value: str, form: str) -> str:
    """Return a `course.toml` in which a lesson's key has this value; all its other lines stay.

    form: what a value looks like that is written in one line. Raises: CourseError for a value of several lines.
    """
    line, lines = f"{key} = {value}", text.splitlines()
    # Only this line is replaced or inserted: a writer of TOML would drop the instructor's comments and layout.
    table = re.compile(rf"\[ *{lesson_name} *\] *(#.*)?")
    header = next((i for i, written in enumerate(lines) if table.fullmatch(written)), None)
    if header is None:
        return "\n".join([*lines, "", f"[{lesson_name}]", line, ""])
    end = next((i for i in range(header + 1, len(lines)) if lines[i].startswith("[")), len(lines))
    old = [i for i in range(header + 1, end) if re.match(rf"{key}\b", lines[i])]
    if old and not re.fullmatch(rf"{key} *= *{form} *(#.*)?", lines[old[0]]):
        about = {"file": NAME, "key": key, "lesson": lesson_name}
        raise CourseError("{file}: the {key} of [{lesson}] are not on one line; change them there by hand.", **about)
    lines[slice(old[0], old[0] + 1) if old else slice(header + 1, header + 1)] = [line]
    return "\n".join([*lines, ""])


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> CourseFile:
    """Return the settings in a file; they are read again only after the file's time or size has changed."""
    try:
        content = read_toml(path)
    except (TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError("{file} cannot be read ({error}); correct that line.", file=path, error=str(error)) from None
    timezone, lessons = content.pop("timezone", "UTC"), content.pop("lessons", [])
    _require(isinstance(timezone, str), path, "timezone", N_('a text such as "Europe/Paris"'))
    _require(_are_texts(lessons), path, "lessons", N_('a list such as ["attention", "seq2seq"]'))
    assistants, contact = content.pop("assistants", EXPLAIN), content.pop("contact", "")
    _require(isinstance(contact, str), path, "contact", N_("an e-mail address"))
    _require(assistants in ASSISTANTS, path, "assistants", " or ".join(f'"{choice}"' for choice in ASSISTANTS))
    markers = content.pop("markers", [])
    _require(_are_texts(markers), path, "markers", N_('a list such as ["anna", "ben"]'))
    order = content.pop("order", 0)
    _require(type(order) in NUMBER and 0 <= order <= 1, path, "order", N_("a number from 0 to 1"))
    zone_of(timezone)
    term = _table(path, TERM, content.pop(TERM, {}), TERM_KEYS)
    valid = term.get("late_days_go", BEST) in (BEST, IN_ORDER)
    _require(valid, path, "term.late_days_go", TERM_KEYS["late_days_go"][1])
    by_lesson = {name: _lesson(path, name, table) for name, table in content.items()}
    for name, table in ((TERM, term), *content.items()):
        _require(table.get("keep", LAST) in (BEST, LAST), path, f"{name}.keep", ATTEMPT_KEYS["keep"][1])
        _require(table.get("attempts", 1) > 0, path, f"{name}.attempts", ATTEMPT_KEYS["attempts"][1])
        _require(bool(SPAN.fullmatch(table.get("pause", "0 s"))), path, f"{name}.pause", ATTEMPT_KEYS["pause"][1])
    term_settings = TermSettings(**term)
    return CourseFile(timezone, tuple(lessons), by_lesson, assistants, term_settings, contact, tuple(markers), order)


def _lesson(path: Path, name: str, table: Any) -> LessonSettings:
    _table(path, name, table, KEYS)
    without, points = table.get("without", []), table.get("points", {})
    _require(_are_texts(without), path, f"{name}.without", KEYS["without"][1])
    valid = all(isinstance(number, NUMBER) and number >= 0 for number in points.values())
    _require(valid, path, f"{name}.points", KEYS["points"][1])
    only = table.get("only", {})
    _require(all(isinstance(track, str) and track for track in only.values()), path, f"{name}.only", KEYS["only"][1])
    _require(table.get("out_of", 1) > 0, path, f"{name}.out_of", N_("above 0"))
    _require(table.get("weight", 1) >= 0, path, f"{name}.weight", N_("0 or more"))
    return LessonSettings(**(table | {"without": tuple(without), "points": dict(points)}))


def _table(path: Path, name: str, table: Any, keys: dict[str, tuple[Any, str]]) -> dict[str, Any]:
    """Return a table of which each key is known and has a value of its type. Raises: CourseError."""
    shape = N_("a table: [{name}], with lines such as {key} = … below it")
    _require(isinstance(table, dict), path, name, T_(shape, name=name, key=next(iter(keys))))
    for key, value in table.items():
        if key not in keys:
            about = {"file": path, "table": name, "key": key, "keys": ", ".join(keys)}
            raise CourseError("{file}: [{table}] has {key}, which is none of {keys}.", **about)
        kind, expected = keys[key]
        valid = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        _require(valid and (kind is not int or value >= 0), path, f"{name}.{key}", expected)
    return dict(table)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _require(valid: bool, path: Path, key: str, expected: str) -> None:
    """Raises: CourseError, with the value that was expected, unless the key is valid."""
    if not valid:
        raise CourseError("{file}: {key} must be {expected}.", file=path, key=key, expected=translated(expected))
