"""Hashes of what marks depend on. Imports nothing heavy, so that a run without work ends before torch is loaded."""

import functools
import hashlib
import importlib.metadata
import json
import platform
from pathlib import Path
from typing import Any

from autograder.common.course import Course
from autograder.common.paths import ROOT

HERE = ROOT / "autograder"
# The code that decides marks in all lessons; hashed, so that a mended grader never returns an old mark. Exams and
# mistakes are hashed for each question (`keys.py`).
EXAMS = ("exams/exam.py", "exams/discreet.py", "exams/patients.py", "exams/reference.py")
ENGINE = ("common", "lesson", "mistakes.py", *EXAMS, "sandbox", "examine")


def digest(*parts: Any) -> str:
    """Return a hash of JSON-able parts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:40]


@functools.cache
def environment() -> str:
    """Return a hash of versions, of the engine, and of the modules that student code may call."""
    sources = [_modules(ROOT / "utils"), *(_modules(HERE / part) for part in ENGINE)]
    versions = [importlib.metadata.version(package) for package in ("torch", "numpy", "ipython")]
    return digest(platform.python_version(), versions, sources)


def _modules(place: Path) -> list[str]:
    """Return the texts of a module, or of all modules below a folder."""
    paths = [place] if place.is_file() else sorted(place.rglob("*.py"))
    return [path.read_text(encoding="utf-8") for path in paths]


def course_hash(lesson_name: str, course: Course) -> str:
    """Return a hash of every file on which marks of this lesson depend."""
    part = course.own.get(lesson_name) if course.adds else None
    own = [[path.name, hashlib.sha256(path.read_bytes()).hexdigest()] for path in part.files()] if part else []
    return digest(workbook_hash(lesson_name), own) if own else workbook_hash(lesson_name)


@functools.cache
def workbook_hash(lesson_name: str) -> str:
    """Return a hash of the workbook's files on which marks of this lesson depend; a course's own are not in it."""
    files = [*sorted((ROOT / "source" / lesson_name).glob("*.*")), *sorted(HERE.rglob("*.py"))]
    files = [path for path in files if path.suffix in (".py", ".toml")]
    return digest(environment(), [path.read_text(encoding="utf-8") for path in files if path.is_file()])
