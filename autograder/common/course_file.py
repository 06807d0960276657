"""`course.toml`: what a course sets for itself beside nbgrader's configuration. Imports nothing heavy.

timezone = "Europe/Paris"            of dates without a zone, and of the platforms' times
lessons = ["seq2seq", "attention"]   the lessons of this course, in its order
assistants = "explain"               what students' coding assistants may do: explain, "none" or "any"

[attention]
title = "Devoir 1"                   what the platform calls the assignment
out_of = 20                          the scale of the marks that are given back
weight = 2                           in the term's total
without = ["why_position"]           questions that are left out
points = { self_attention = 8 }      other points than the workbook's
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.common.errors import CourseError
from autograder.common.times import zone_of
from autograder.common.toml import TOMLDecodeError, read_toml

NAME = "course.toml"
NUMBER = (int, float)
EXPLAIN, NO_ASSISTANTS, ANY = ASSISTANTS = ("explain", "none", "any")
# What a lesson's table may hold: key -> (types, description for the error's sentence).
KEYS: dict[str, tuple[Any, str]] = {
    "title": (str, "a text"),
    "out_of": (NUMBER, "a number"),
    "weight": (NUMBER, "a number"),
    "without": (list, 'a list such as ["why_position"]'),
    "points": (dict, "a table such as { self_attention = 8 }"),
}


@dataclass(frozen=True)
class LessonSettings:
    """What a course sets for one lesson; `out_of` is None for the lesson's own points."""

    title: str = ""
    out_of: float | None = None
    weight: float = 1.0
    without: tuple[str, ...] = ()
    points: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class CourseFile:
    """A course's settings; `lessons` is empty for all of the workbook's, in its order."""

    timezone: str = "UTC"
    lessons: tuple[str, ...] = ()
    by_lesson: dict[str, LessonSettings] = field(default_factory=dict)
    assistants: str = EXPLAIN

    @classmethod
    def of(cls, course: Path) -> "CourseFile":
        """Read a course's `course.toml`; without one, nothing is set. Raises: CourseError."""
        path = course / NAME
        try:
            status = path.stat()
        except OSError:
            return cls()
        return _read(path, status.st_mtime_ns, status.st_size)

    def of_lesson(self, name: str) -> LessonSettings:
        return self.by_lesson.get(name, LessonSettings())


def with_points(text: str, lesson_name: str, points: dict[str, float]) -> str:
    """Return a `course.toml` in which a lesson's questions have these points; all its other lines stay.

    Raises: CourseError if the lesson's points are not written in one line, points = { … }.
    """
    line = "points = { " + ", ".join(f"{name} = {number:g}" for name, number in points.items()) + " }"
    lines = text.splitlines()
    table = re.compile(rf"\[ *{lesson_name} *\] *(#.*)?")
    header = next((i for i, written in enumerate(lines) if table.fullmatch(written)), None)
    if header is None:
        return "\n".join([*lines, "", f"[{lesson_name}]", line, ""])
    end = next((i for i in range(header + 1, len(lines)) if lines[i].startswith("[")), len(lines))
    there = [i for i in range(header + 1, end) if re.match(r"points\b", lines[i])]
    if there and not re.fullmatch(r"points *= *\{[^{}]*\} *(#.*)?", lines[there[0]]):
        raise CourseError(f"{NAME}: the points of [{lesson_name}] are not in one line; change them there by hand.")
    lines[slice(there[0], there[0] + 1) if there else slice(header + 1, header + 1)] = [line]
    return "\n".join([*lines, ""])


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> CourseFile:
    try:
        content = read_toml(path)
    except (TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} cannot be read ({error}); mend that line.") from None
    timezone, lessons = content.pop("timezone", "UTC"), content.pop("lessons", [])
    _require(isinstance(timezone, str), path, "timezone", 'a text such as "Europe/Paris"')
    _require(_are_texts(lessons), path, "lessons", 'a list such as ["attention", "seq2seq"]')
    assistants = content.pop("assistants", EXPLAIN)
    _require(assistants in ASSISTANTS, path, "assistants", " or ".join(f'"{choice}"' for choice in ASSISTANTS))
    zone_of(timezone)
    by_lesson = {name: _lesson(path, name, table) for name, table in content.items()}
    return CourseFile(timezone, tuple(lessons), by_lesson, assistants)


def _lesson(path: Path, name: str, table: Any) -> LessonSettings:
    _require(isinstance(table, dict), path, name, f"a table: [{name}], with lines such as out_of = 20 below it")
    for key, value in table.items():
        if key not in KEYS:
            raise CourseError(f"{path}: [{name}] has {key}, which is none of {', '.join(KEYS)}.")
        _require(isinstance(value, KEYS[key][0]) and not isinstance(value, bool), path, f"{name}.{key}", KEYS[key][1])
    without, points = table.get("without", []), table.get("points", {})
    _require(_are_texts(without), path, f"{name}.without", KEYS["without"][1])
    good = all(isinstance(number, NUMBER) and number >= 0 for number in points.values())
    _require(good, path, f"{name}.points", KEYS["points"][1])
    _require(table.get("out_of", 1) > 0, path, f"{name}.out_of", "above 0")
    _require(table.get("weight", 1) >= 0, path, f"{name}.weight", "0 or more")
    return LessonSettings(**(table | {"without": tuple(without), "points": dict(points)}))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _require(good: bool, path: Path, what: str, wanted: str) -> None:
    if not good:
        raise CourseError(f"{path}: {what} must be {wanted}.")
