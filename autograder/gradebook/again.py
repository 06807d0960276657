"""`workbook new DIR --from OLD --shift 52w`: a course of an earlier term once more, for other students, at other dates.

Settings, the course's own lessons and the rubrics as the graders left them are copied; students, extensions,
submissions and marks are not. Due dates go into `course.toml`, moved, from where `workbook open` takes them.
"""

import re
import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

from autograder.common.course import Course
from autograder.common.course_file import NAME as COURSE_FILE
from autograder.common.course_file import with_value
from autograder.common.errors import CourseError
from autograder.common.paths import CONFIG_NAME, write_whole
from autograder.common.times import read_time, zone_of
from autograder.course import new
from autograder.essays.store import FOLDER as RUBRICS
from autograder.gradebook.books import opened
from autograder.gradebook.configuration import configuration

SHIFT = re.compile(r"(-?\d+) ?(w|d)")


def copy(old: Course, folder: Path, name: str, shift: str) -> list[Path]:
    """Make a course from an earlier one; return the files that were written. Raises: CourseError, GradingError."""
    by = _shift(shift)
    dates = _due_dates(old)
    written = new.make(folder, name, configuration(old).Translate.get("language", "en"))
    for part in old.own.values():
        for there in (part.source, part.utils):
            here = folder / there.relative_to(old.folder)
            shutil.copytree(there, here, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
            written.append(here)
    for rubric in (old / RUBRICS).glob("*/*/rubric.json"):
        here = folder / rubric.relative_to(old.folder)
        write_whole(here, rubric.read_bytes())
        written.append(here)
    settings = old / COURSE_FILE
    text = settings.read_text(encoding="utf-8") if settings.is_file() else ""
    for lesson, due in dates.items():
        text = with_value(text, lesson, "due", f'"{due + by:%Y-%m-%d %H:%M}"', r'"[^"]*"')
    write_whole(folder / COURSE_FILE, text)
    write_whole(folder / CONFIG_NAME, _renamed((old / CONFIG_NAME).read_text(encoding="utf-8"), name))
    return written


def _shift(text: str) -> timedelta:
    match = SHIFT.fullmatch(text.strip())
    if match is None:
        raise CourseError("--shift {given!r} cannot be read; write weeks or days, 52w or 364d.", given=text)
    return timedelta(days=int(match[1]) * (7 if match[2] == "w" else 1))


def _due_dates(course: Course) -> dict[str, datetime]:
    """Return the due date of each lesson on the course's clock: moved by weeks, 23:59 stays 23:59 in summer time."""
    settings, known = course.settings, dict[str, datetime]()
    zone = zone_of(settings.timezone)
    for name, lesson in settings.by_lesson.items():
        if lesson.due:
            known[name] = read_time(lesson.due, settings.timezone)
    with opened(course) as gradebook:
        for assignment in gradebook.assignments if gradebook else []:
            if assignment.duedate and assignment.name in course.lessons:
                known[str(assignment.name)] = datetime.fromisoformat(str(assignment.duedate))
    return {n: due.replace(tzinfo=timezone.utc).astimezone(zone).replace(tzinfo=None) for n, due in known.items()}


def _renamed(config: str, name: str) -> str:
    """Return a configuration with the course's new name, and the folder in which the file is."""
    config = re.sub(r"(?m)^(c\.CourseDirectory\.course_id = ).*$", lambda line: line[1] + repr(name), config)
    here = "str(Path(__file__).resolve().parent)"
    return re.sub(r"(?m)^(c\.CourseDirectory\.root = ).*$", lambda line: line[1] + here, config)
