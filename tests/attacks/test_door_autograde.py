"""The door of nbgrader's own `autograde`: started beside another grading, and what students put beside a notebook."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import NbGraderException

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.course.sources import write_source
from autograder.gradebook import books, converters, grade
from autograder.gradebook.configuration import configuration
from autograder.gradebook.state import only_one
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader

from .corpus import ATTENTION, LESSON

RUNNING = "Another grading of this course is running; wait for it"
# Python that would run as the grader if anything beside a notebook were loaded; it says so in a file.
EVIL = "import pathlib\npathlib.Path({target!r}).write_text('evil')\n"
# What a student lays beside the notebook, and where.
BESIDE = {
    "a configuration of nbgrader": "nbgrader_config.py",
    "a configuration of Jupyter": "jupyter_config.py",
    "a module named like ours": "autograder/__init__.py",
    "a module named like a library": "torch.py",
    "a module that Python loads at its start": "sitecustomize.py",
    "a configuration of pytest": "conftest.py",
    "a start of IPython": ".ipython/profile_default/startup/00-evil.py",
    "a plugin of nbgrader": "late.py",
    "a solution of the lesson": f"source/{LESSON}/lesson.py",
    "a module of nbgrader": "nbgrader/__init__.py",
    "another notebook": "bonus.ipynb",
    "the same name in capitals": f"{LESSON.upper()}.ipynb",
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory, store) -> tuple[Path, subprocess.CompletedProcess]:
    """A class that nbgrader's own command has graded: one honest student, and one for each thing laid beside."""
    course = tmp_path_factory.mktemp("doors")
    configure(course)
    hand_in(compose(ATTENTION), Course(course), "honest", LESSON)
    for number, name in enumerate(BESIDE.values()):
        path = hand_in(compose(ATTENTION, blank=True), Course(course), f"s{number}", LESSON).parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(EVIL.format(target=str(course / f"ran-{number}")))
    converters.prepare(Course(course), Lesson.load(LESSON, Course(course)))
    return course, nbgrader(course, "autograde", LESSON)


@pytest.mark.parametrize("number", range(len(BESIDE)), ids=list(BESIDE))
def test_what_lies_beside_a_notebook_runs_nowhere_and_goes_nowhere(graded, number):
    course, _ = graded
    assert not (course / f"ran-{number}").exists()
    written = [path.name for path in (course / "autograded" / f"s{number}").rglob("*") if path.is_file()]
    assert written == [f"{LESSON}.ipynb"]
    assert not any(
        books.marks(Course(course), LESSON)[f"s{number}"][cell.grade_id] for cell in ATTENTION.of_role("test")
    )


def test_the_command_grades_the_class_whole(graded):
    course, done = graded
    assert done.returncode == 0, done.stderr
    marks = books.marks(Course(course), LESSON)
    assert len(marks) == 1 + len(BESIDE)
    assert all(marks["honest"][cell.grade_id] == cell.points for cell in ATTENTION.of_role("test"))


# ---- two at once ---------------------------------------------------------------------------------------------


def everything(course: Path) -> dict[str, bytes]:
    """What a grading writes, by path."""
    tops = [course / name for name in ("autograded", "feedback", "release", "gradebook.db")]
    files = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()]
    return {str(path): path.read_bytes() for path in files}


def by_api(course: Path, do: str, *given: str) -> None:
    told = getattr(NbGraderAPI(config=configuration(Course(course))), do)(*given)
    raise NbGraderException(told["log"]) if not told["success"] else AssertionError("it ran")


def by_command(course: Path, *words: str) -> None:
    done = nbgrader(course, *words)
    raise NbGraderException(done.stderr) if done.returncode else AssertionError("it ran")


AT_ONCE = {
    "nbgrader autograde": lambda course: by_command(course, "autograde", LESSON),
    "nbgrader autograde, of one student": lambda course: by_command(course, "autograde", LESSON, "--student", "honest"),
    "nbgrader autograde, by force": lambda course: by_command(course, "autograde", LESSON, "--force"),
    "nbgrader generate_assignment": lambda course: by_command(course, "generate_assignment", LESSON, "--force"),
    "formgrader's button of a student": lambda course: by_api(course, "autograde", LESSON, "honest"),
    "formgrader's button of a lesson": lambda course: by_api(course, "generate_assignment", LESSON),
    "a converter": lambda course: converters.convert(Autograde, configuration(Course(course)), LESSON, "honest"),
    "a converter of the release": lambda course: converters.convert(
        GenerateAssignment, configuration(Course(course)), LESSON
    ),
    "our own command": lambda course: grade.grade(LESSON, course=Course(course), force=True),
    "our own feedback": lambda course: converters.feedback(Course(course), LESSON, force=True),
}


def in_another_process(course: Path) -> subprocess.Popen:
    """Hold a course's lock as another grading does, until its input is closed."""
    lock = course / ".grading" / "lock"
    holds = f"import fcntl, sys\nlock = open({str(lock)!r}, 'w')\nfcntl.flock(lock, fcntl.LOCK_EX)\n"
    holds += "print('held', flush=True)\nsys.stdin.read()"
    holder = subprocess.Popen(
        ["python3", "-S", "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"]}
    )
    assert holder.stdout.readline() == b"held\n"
    return holder


@pytest.fixture(scope="module")
def held(graded, tmp_path_factory) -> Path:
    """A copy of the graded course, in which another process is grading."""
    course = tmp_path_factory.mktemp("held") / "course"
    shutil.copytree(graded[0], course)
    configure(course)
    write_source(Lesson.load(LESSON, Course(course)))
    with in_another_process(course) as holder:
        yield course
        holder.stdin.close()


@pytest.mark.parametrize("way", AT_ONCE)
def test_whatever_is_started_beside_a_grading_changes_nothing_and_says_so(held, way):
    before = everything(held)
    with pytest.raises((GradingError, NbGraderException), match=RUNNING):
        AT_ONCE[way](held)
    assert everything(held) == before


def test_a_grading_starts_nbgraders_converters_itself_while_it_holds_the_lock(graded):
    course, _ = graded
    with only_one(Course(course)):
        converters.convert(Autograde, configuration(Course(course)), LESSON, "honest")
    marks = books.marks(Course(course), LESSON)["honest"]
    assert all(marks[cell.grade_id] == cell.points for cell in ATTENTION.of_role("test"))
