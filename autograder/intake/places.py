"""The name that a platform gave each collected submission: feedback goes back under that name.

One JSON file for each lesson, in the course's folder `.grading`. Imports nothing heavy.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.common.course import Course
from autograder.common.paths import write_whole


@dataclass(frozen=True)
class Place:
    """The platform (moodle, canvas, blackboard), and the name of the folder or file in its archive."""

    platform: str
    name: str


def places_of(course: Course, lesson_name: str) -> dict[str, Place]:
    """Return the places by student; none if nothing was collected from a platform."""
    try:
        places = json.loads(_path(course, lesson_name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {student: Place(**place) for student, place in places.items()}


def note_places(course: Course, lesson_name: str, places: dict[str, Place]) -> None:
    """Add places to those that are known. Raises: OSError."""
    known = places_of(course, lesson_name) | places
    write_whole(_path(course, lesson_name), json.dumps({student: asdict(place) for student, place in known.items()}))


def _path(course: Course, lesson_name: str) -> Path:
    return course / ".grading" / "places" / f"{lesson_name}.json"
