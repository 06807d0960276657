"""`course.toml`: what a course sets for itself beside nbgrader's configuration. Imports nothing heavy.

timezone = "Europe/Paris"            the zone of dates without a zone, and of the platforms' times
lessons = ["seq2seq", "attention"]   the lessons of this course, in its order
assistants = "explain"               what students' coding assistants may do: explain, "none" or "any"

[attention]
title = "Devoir 1"                   what the platform calls the assignment
out_of = 20                          the scale of the marks that are given back
weight = 2                           the lesson's weight in the term's total
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
# The keys of a lesson's table -> (their types, their description in the sentence of an error).
KEYS: dict[str, tuple[Any, str]] = {
    "title": (str, "a text"),
    "out_of": (NUMBER, "a number"),
    "weight": (NUMBER, "a number"),
    "without": (list, 'a list such as ["why_position"]'),
    "points": (dict, "a table such as { self_attention = 8 }"),
}


@dataclass(frozen=True)
class LessonSettings:
    """What a course sets for one lesson; `out_of` is None if marks are given back in the lesson's own points."""

    title: str = ""
    out_of: float | None = None
    weight: float = 1.0
    without: tuple[str, ...] = ()
    points: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class CourseFile:
    """A course's settings; an empty `lessons` means all lessons, in their usual order."""

    timezone: str = "UTC"
    lessons: tuple[str, ...] = ()
    by_lesson: dict[str, LessonSettings] = field(default_factory=dict)
    assistants: str = EXPLAIN

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


def with_points(text: str, lesson_name: str, points: dict[str, float]) -> str:
    """Return a `course.toml` in which a lesson's questions have these points; all its other lines stay.

    Raises: CourseError if the lesson's points are not written in one line, points = { … }.
    """
    line = "points = { " + ", ".join(f"{name} = {number:g}" for name, number in points.items()) + " }"
    lines = text.splitlines()
    # Only this line is replaced or inserted: a writer of TOML would drop the instructor's comments and layout.
    table = re.compile(rf"\[ *{lesson_name} *\] *(#.*)?")
    header = next((i for i, written in enumerate(lines) if table.fullmatch(written)), None)
    if header is None:
        return "\n".join([*lines, "", f"[{lesson_name}]", line, ""])
    end = next((i for i in range(header + 1, len(lines)) if lines[i].startswith("[")), len(lines))
    old = [i for i in range(header + 1, end) if re.match(r"points\b", lines[i])]
    if old and not re.fullmatch(r"points *= *\{[^{}]*\} *(#.*)?", lines[old[0]]):
        raise CourseError(f"{NAME}: the points of [{lesson_name}] are not in one line; change them there by hand.")
    lines[slice(old[0], old[0] + 1) if old else slice(header + 1, header + 1)] = [line]
    return "\n".join([*lines, ""])


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> CourseFile:
    """Return the settings in a file; they are read anew only after the file's time or size has changed."""
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
    valid = all(isinstance(number, NUMBER) and number >= 0 for number in points.values())
    _require(valid, path, f"{name}.points", KEYS["points"][1])
    _require(table.get("out_of", 1) > 0, path, f"{name}.out_of", "above 0")
    _require(table.get("weight", 1) >= 0, path, f"{name}.weight", "0 or more")
    return LessonSettings(**(table | {"without": tuple(without), "points": dict(points)}))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _require(valid: bool, path: Path, key: str, expected: str) -> None:
    if not valid:
        raise CourseError(f"{path}: {key} must be {expected}.")
