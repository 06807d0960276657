"""Several markers: shares of a question, answers handed on, notes for markers; and a server for a marker without names.

    course.toml          markers = ["anna", "ben"]: each has an equal share of each question's answers
    notes.json           of a question, see `EssayStore`: who an answer was handed on to, and notes on it
    workbook mark LESSON --marker anna      a server that knows the marking page and nothing else, see `only_marking`

A share is a filter and a label: everyone may mark every answer, because a marker may fall ill.
"""

import re
import secrets
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from tornado import web

from autograder.common.course import Course
from autograder.intake.roster import Roster

# The variable of the environment, and the server's setting, with the name of the marker for whom the server runs.
MARKER = "WORKBOOK_MARKER"


def drawn(*names: str) -> float:
    """Return a number from 0 to 1 that looks random, the same for the same names: at each visit of the page."""
    return int.from_bytes(sha256("/".join(names).encode()).digest()[:8], "big") / 2**64


def shares(course: Course, question: str, groups: Mapping[str, str]) -> dict[str, str]:
    """Return the marker of each answer; none if the course names no markers. Raises: CourseError.

    question: its name with those of course and lesson. groups: each student's group of near-copies, which is not
    divided. The whole class is divided, not only the students who have handed in, so that a late submission moves none.
    """
    markers = course.settings.markers
    students = sorted(Roster.of(course).rows or groups, key=lambda student: drawn(question, "share", student))
    places = {student: place for place, student in enumerate(students)}
    return {
        student: markers[places.get(group, 0) * len(markers) // len(students)]
        for student, group in groups.items()
        if markers
    }


class Aliases:
    """Names in place of students' ids, which a marker's server sends and takes; new ones with each server."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(16)
        self.students: dict[str, str] = {}

    def of(self, student: str) -> str:
        alias = sha256(f"{self.secret}/{student}".encode()).hexdigest()[:12] if student else ""
        self.students[alias] = student
        return alias

    def student(self, alias: str) -> str:
        """Return the student of an alias. Raises: ValueError for an alias that the server never sent."""
        if alias not in self.students:
            raise ValueError("this page is of another server; load it again")
        return self.students[alias]

    def hide(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return data for the page in which no student is named: a card, a class, or claims."""
        hidden: dict[str, Any] = {name: self.of(data[name]) for name in ("student", "group") if name in data}
        if "name" in data:
            hidden["name"] = ""
        if "answers" in data:
            hidden["answers"] = [self.hide(answer) for answer in data["answers"]]
        if "claims" in data:
            hidden["claims"] = {self.of(student): window for student, window in data["claims"].items()}
        return data | hidden


def only_marking(web_app: Any) -> None:
    """Make a Jupyter server answer the marking page's addresses alone: no files, no kernels, no terminals."""
    find = web_app.find_handler
    ours = re.compile(re.escape(web_app.settings["base_url"]) + "essays(/.*)?")

    def find_ours(request: Any, **others: Any) -> Any:
        if ours.fullmatch(request.path):
            return find(request, **others)
        return web_app.get_handler_delegate(request, web.ErrorHandler, {"status_code": 404})

    web_app.find_handler = find_ours
