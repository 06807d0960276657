"""Reads `submitted/STUDENT/LESSON/` without trusting names, links or times.

In some courses students make these folders themselves (by copies, by archives): no content of a folder may end the
grading of the class, or lead out of the folder. Nothing heavy is imported here, so that a run with nothing to do loads
neither torch nor nbgrader.
"""

import os
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from autograder.common.course import Course
from autograder.common.paths import open_regular
from autograder.common.sentences import T_
from autograder.intake.roster import Roster

# What nbgrader's submit, collect and zip_collect write: a date, a time, and perhaps a time zone.
STAMP = re.compile(r"20\d\d-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,9})?)?( ?[A-Za-z+-][\w/:+-]{0,40})?")
MAX_STAMP = 100  # bytes that are read of a timestamp; nbgrader's have 30
MAX_SECRET = 256  # digits; nbgrader's secrets have 128
MAX_NAME = 200  # bytes; file systems allow 255, and reports add an ending


def submissions(course: Course, lesson_name: str) -> tuple[dict[str, Path], dict[str, str]]:
    """Return the notebooks by student, in order of names; and by student why a folder's notebook cannot be taken."""
    paths, refused = {}, {}
    for folder in sorted((course / "submitted").glob("*")):
        if os.path.lexists(folder / lesson_name):
            path = folder / lesson_name / f"{lesson_name}.ipynb"
            if wrong := why_not(path):
                refused[folder.name] = wrong
            else:
                paths[folder.name] = path
    return paths, refused


def strangers(course: Course, students: Iterable[str]) -> list[str]:
    """Return those of `students` who are not in the course's `students.csv`; nobody if the list is empty."""
    listed = Roster.of(course).rows
    return sorted(student for student in students if listed and student not in listed)


def why_not(path: Path) -> str:
    """Return why not even an empty submission can be recorded for a notebook at this place, "" if it can."""
    if wrong := wrong_name(path.parent.parent.name):
        return wrong
    if os.path.lexists(path):
        return ""
    names = ", ".join(map(ascii, beside(path)[:3]))
    about = {"name": path.name, "folder": path.parent}
    if names:
        return T_("There is no {name} in {folder}, but {others}; rename the one to be graded.", **about, others=names)
    return T_("There is no {name} in {folder}; ask for it, or remove the folder.", **about)


def wrong_name(student: str) -> str:
    """Return why a student's folder cannot have this name, "" if it can."""
    if re.search(r"[*?\[\]]", student):
        return T_("The folder's name has a character that nbgrader takes for a pattern; rename it.")
    if not student.isprintable():
        return T_("The folder's name has a character that cannot be printed; rename it.")
    if student != student.strip():
        return T_("The folder's name begins or ends with a space, which nbgrader removes; rename it.")
    if len(os.fsencode(student)) > MAX_NAME:
        return T_("The folder's name is longer than {number} bytes; rename it.", number=MAX_NAME)
    return ""


def beside(path: Path) -> list[str]:
    """Return the names of other notebooks in a notebook's folder."""
    try:
        names = sorted(os.listdir(path.parent))
    except OSError:
        return []
    return [name for name in names if name.lower().endswith(".ipynb") and name != path.name]


def is_linked(path: Path) -> bool:
    """Return whether a submitted notebook's folder, or its student's, is a link to another place."""
    return any(folder.is_symlink() for folder in list(path.parents)[:2])


def submitted_at(folder: Path) -> tuple[datetime | None, str]:
    """Return when a folder's notebook was handed in (UTC), None if unknown; and what is wrong with the time, or ""."""
    path = folder / "timestamp.txt"
    if not os.path.lexists(path):
        return None, ""
    try:
        with open_regular(path) as file:
            text = file.read(MAX_STAMP + 1).decode("ascii").strip()
        if STAMP.fullmatch(text):
            from nbgrader.utils import parse_utc

            return parse_utc(text), ""
    except (OSError, ValueError, OverflowError):
        pass
    return None, T_("timestamp.txt has no readable time: the submission counts as handed in at an unknown time")


def secret_of(folder: Path) -> str:
    """Return the secret that `nbgrader submit` put beside a notebook, "" for none; it names the page of feedback."""
    try:
        with open_regular(folder / "submission_secret.txt") as file:
            text = file.read(MAX_SECRET + 1).decode("ascii")
    except (OSError, ValueError):
        return ""
    return text if re.fullmatch(rf"[0-9a-f]{{16,{MAX_SECRET}}}", text) else ""
