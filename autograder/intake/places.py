"""The name that a platform gave each collected submission: feedback goes back under that name.

One JSON file for each lesson, in the course's folder `.grading`. Imports nothing heavy.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.common.course import Course
from autograder.common.paths import write_whole
from autograder.intake.forms import FORMS


@dataclass(frozen=True)
class Place:
    """The platform, the name of the folder or file in its archive, and the group that handed in, if there was one.

    The name is empty for the member of a group whose own number on the platform is not known.
    """

    platform: str
    name: str = ""
    group: str = ""

    @property
    def number(self) -> str:
        """The platform's number of the student, or of the group, in the name; "" for none."""
        of_platform = (form.pattern.fullmatch(self.name) for form in FORMS if form.platform == self.platform)
        given = next((match.groupdict("") for match in of_platform if match), {})
        return given.get("participant") or given.get("user") or ""


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
    rows = {student: {key: text for key, text in asdict(place).items() if text} for student, place in known.items()}
    write_whole(_path(course, lesson_name), json.dumps(rows))


def _path(course: Course, lesson_name: str) -> Path:
    return course / ".grading" / "places" / f"{lesson_name}.json"
