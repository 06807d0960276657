"""Logs for the reports: each student's reasons, recognised mistakes and flags, beside the marks in the gradebook.

One JSON file for each lesson and student, in the course's folder. Imports nothing heavy.
"""

import json
from pathlib import Path
from typing import TypedDict, cast

from autograder.common.course import Course
from autograder.common.paths import write_whole
from autograder.common.sentences import T_, joined, number
from utils.common.messages import SEMICOLON

LOGS = Path(".grading", "logs")


class TestLog(TypedDict):
    """The result of one test; `mistake` is the catalogue's id of the mistake that was recognised."""

    name: str
    points: float
    max_points: float
    passed: bool
    reason: str
    mistake: str | None


class QuestionLog(TypedDict):
    """The result of one question; `points` is None when a person grades it."""

    id: str
    kind: str
    points: float | None
    max_points: float
    tests: list[TestLog]


class Log(TypedDict, total=False):
    """The part of a student's log that reports read; empty without a log."""

    questions: list[QuestionLog]
    flags: list[str]
    mended: list[str]
    seconds: float
    cpu_seconds: float
    state: str  # UNREADABLE or WRONG_LESSON, for a submission that could not be graded
    refused: str  # the reason, one sentence
    version: str  # the workbook's version, see common/version.py


def log_path(course: Course, lesson_name: str, student: str) -> Path:
    """Return the path of a student's log."""
    return course / LOGS / lesson_name / f"{student}.json"


def write_log(course: Course, lesson_name: str, student: str, log: Log) -> None:
    """Write a student's log, whole. Raises: OSError."""
    write_whole(log_path(course, lesson_name, student), json.dumps(log, ensure_ascii=False))


def changes(before: Log, after: Log) -> str:
    """Return why two gradings of the same answers may differ: other points of questions, another workbook."""
    old = {question["id"]: question["max_points"] for question in before.get("questions", [])}
    new = {question["id"]: question["max_points"] for question in after.get("questions", []) if question["id"] in old}
    points = [f"{name} {number(old[name]):g} → {number(most):g}" for name, most in new.items() if old[name] != most]
    versions = before.get("version", ""), after.get("version", "")
    reasons = [T_("other points: {points}", points=joined(points))] if points else []
    if all(versions) and versions[0] != versions[1]:
        reasons.append(T_("the workbook {versions}", versions=" → ".join(versions)))
    return T_(SEMICOLON).join(reasons)


def read_log(course: Course, lesson_name: str, student: str) -> Log:
    """Return a student's log, an empty one if it cannot be read."""
    try:
        return cast(Log, json.loads(log_path(course, lesson_name, student).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}
