"""The students' modules in a course with lessons, or questions, of its own: a copy of `utils` with these in it.

The copy lies in the course's `.grading/modules/`, and is made again when anything changes that it is made from. The
sandbox shows it to submissions, and the wheel is built from it. It has for each lesson of the course:

    checks/LESSON.py               the course's checks; where the workbook has the lesson, at the end of its module
    checks/cases/LESSON.py         small cases, if the course has any
    checks/answers/, outlines/     as the build makes them for the workbook's lessons
    locale/                        the translations of the course's catalogues added to the workbook's
    own.py                         the version of each of these lessons
"""

import shutil
from pathlib import Path

from autograder.common import parts
from autograder.common.paths import own_lessons
from utils.common.messages import add_catalogues


def copy_to(folder: Path) -> None:
    """Copy the students' modules of this process' course into a new folder. Raises: WorkbookError."""
    bring_up_to_date()
    shutil.copytree(parts.modules(), folder, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".*"))


def bring_up_to_date(wanted: str = "") -> None:
    """Make the copy anew if this process' course has lessons of its own and its copy is missing or out of date.

    A lesson that cannot be made, because somebody is still writing it, is left out and keeps nobody from the others.
    Raises: BuildError, a sentence on what is wrong with the lesson `wanted`.
    """
    if not own_lessons():
        return
    copy = parts.modules()
    if not parts.are_current() or (wanted in own_lessons() and not _has(copy, wanted)):
        from autograder.course import own  # imported here, because it loads all that the build needs

        own.make(copy, wanted)
    add_catalogues(copy / "locale")


def _has(copy: Path, lesson_name: str) -> bool:
    return f"\n{lesson_name} = " in (copy / "own.py").read_text(encoding="utf-8")
