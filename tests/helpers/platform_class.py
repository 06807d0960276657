"""A graded class and its platform: what `workbook roster` and `workbook send` do, without nbgrader or a sandbox.

Modules of `autograder.lti` are looked up when they are needed, because `without` loads them anew, one of them with a
handling taken out.
"""

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any

from autograder.common.course import WORKBOOK, Course
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.roll import GRADED, WAITS, Member, Roll
from autograder.gradebook.summary import no_progress
from autograder.intake.roster import Roster
from autograder.lesson.text import Lesson

LESSON = "attention"
MOST = 40.0
PACKAGE = "autograder.lti"


def module(name: str) -> Any:
    return import_module(f"{PACKAGE}.{name}")


def take_roster(course: Course) -> Any:
    """Do what `workbook roster --yes` does; return the match."""
    settings, service, roster = module("settings"), module("service"), module("roster")
    name, place = settings.place_of(course)
    members = roster.members(service.Service(course, name, place.memberships))
    done = roster.match(list(Roster.of(course).rows.values()), members)
    roster.write(course, done.rows)
    return done


def roll_of(course: Course, points: Mapping[str, float], waiting: str = "") -> Roll:
    """Return the class of students.csv; a student without points has not handed in."""
    members = {}
    for student, row in Roster.of(course).rows.items():
        marks = StudentMarks({"q": points[student]}, max_score=MOST) if student in points else None
        state = "not handed in" if marks is None else WAITS if student == waiting else GRADED
        members[student] = Member(student, state, marks, row=row)
    return Roll(members, [])


def send(course: Course, points: Mapping[str, float], waiting: str = "", **named: Any) -> Any:
    """Do what `workbook send` does for a class with these points."""
    marks = module("marks")
    roll = roll_of(course, points, waiting)
    before, marks.graded_roll = marks.graded_roll, lambda course, name: roll
    try:
        return marks.send(course, Lesson.load(LESSON, WORKBOOK), no_progress, **named)
    finally:
        marks.graded_roll = before


def write_reason(course: Course, student: str, reason: str) -> None:
    """Write a graded notebook in which a question lost points for this reason."""
    path = course / "autograded" / student / LESSON / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True)
    cell = {"metadata": {"workbook": {"reason": reason}, "nbgrader": {"grade_id": "test_loss"}}}
    path.write_text(json.dumps({"cells": [{"metadata": {}}, cell]}))


@contextlib.contextmanager
def without(name: str, text: str, instead: str) -> Iterator[None]:
    """Within the block, `autograder.lti` is loaded anew, with a text of one of its modules replaced."""
    kept = {known: sys.modules.pop(known) for known in [*sys.modules] if f"{known}.".startswith(f"{PACKAGE}.")}
    finder = _Finder(f"{PACKAGE}.{name}", text, instead)
    sys.meta_path.insert(0, finder)
    parent = sys.modules["autograder"]
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for known in [known for known in sys.modules if f"{known}.".startswith(f"{PACKAGE}.")]:
            del sys.modules[known]
        sys.modules.update(kept)
        if PACKAGE in kept:
            parent.lti = kept[PACKAGE]  # type: ignore[attr-defined]


class _Finder:
    """Finds one module, and has its text replaced."""

    def __init__(self, name: str, text: str, instead: str):
        self.name, self.text, self.instead = name, text, instead

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        spec = PathFinder.find_spec(name, path)
        assert spec and spec.origin
        source = Path(spec.origin).read_text(encoding="utf-8")
        assert source.count(self.text) == 1, f"{self.text!r} is {source.count(self.text)} times in {name}"
        spec.loader = _Loader(name, spec.origin, source.replace(self.text, self.instead))
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, source: str):
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> Any:
        return compile(self.source, self.path, "exec")
