"""A course with lessons of its own, built and proved in forks of the test's process, which has loaded torch already."""

import faulthandler
import os
import shutil
from pathlib import Path

import pytest

from autograder.common.course import Course
from autograder.common.paths import CONFIG_NAME, ROOT
from autograder.course import apart, own
from autograder.gradebook import doors
from autograder.lesson.text import Lesson

HERE = Path(__file__).parent / "own"
WORK = {own.__name__: own.build, doors.__name__: doors.both}
ADD_MODULES = Course.add_modules


class Forked:
    """A fork that does what `python -m MODULE` does, with the part of `subprocess.Popen` that `run_apart` uses."""

    def __init__(self, module: str, arguments: list[str], descriptor: int):
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            faulthandler.disable()  # a crash that a test asks for
            nowhere = os.open(os.devnull, os.O_RDWR)
            for number in range(3):
                os.dup2(nowhere, number)
            Course.add_modules = ADD_MODULES
            apart.answer(WORK[module], arguments)
        self.ended = False

    def wait(self, timeout: float = 0) -> None:
        if not self.ended:
            os.waitpid(self.pid, 0)
        self.ended = True


def course_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """Return a course without lessons of its own; this process never finds its modules."""
    monkeypatch.setattr(Course, "add_modules", lambda self: None)
    monkeypatch.setattr(apart, "started", Forked)
    (folder / "term").mkdir()
    shutil.copy(ROOT / CONFIG_NAME, folder / "term")
    return Course(folder / "term")


def added(course: Course, name: str, folder: Path) -> Course:
    """Copy a lesson's two folders into a course; return the course as another process would find it."""
    for half in ("source", "utils"):
        shutil.copytree(folder / half / name, course / half / name)
    return Course(course.folder)


def proved(course: Course, name: str) -> None:
    """Build and prove a lesson as `workbook open` does. Raises: BuildError."""
    lesson = Lesson.load(name, course)
    own.bring_up_to_date(lesson)
    doors.prove(lesson)
