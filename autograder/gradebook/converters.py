"""nbgrader's part of grading: its converters, run for one student after the other, and its gradebook, read.

nbgrader stays the book-keeper: scores, `autograded/` and `feedback/` are written by its own code.
"""

import contextlib
import errno
import functools
import logging
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError, OperationalError, SAWarning
from traitlets.config import PyFileConfigLoader

from autograder.common.paths import ROOT, write_whole
from autograder.gradebook.state import Done, GradingError, only_one
from autograder.gradebook.steps import configure
from autograder.lesson.text import ROLES, Lesson, content_hash, read_instructors, write_notebook

if TYPE_CHECKING:
    from autograder.gradebook.grade import Report

CONFIG = ROOT / "nbgrader_config.py"


@contextlib.contextmanager
def _one_engine() -> Iterator[None]:
    """Keep nbgrader's database engine between students.

    nbgrader makes a new one for every step of every student, and with it compiles the same SQL anew:
    half of the time that writing takes.
    """
    make = api.create_engine
    api.create_engine = functools.cache(make)
    try:
        yield
    finally:
        api.create_engine = make


def configuration(course: Path) -> Any:
    """Return nbgrader's configuration of this course: the one that its own commands load, and our steps in any case."""
    # nbgrader starts `alembic` by name to make a gradebook; it lies beside this Python.
    beside = str(Path(sys.executable).parent)
    if beside not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([beside, os.environ.get("PATH", "")])
    local = course / "nbgrader_config.py"
    path = local if local.is_file() else CONFIG
    try:
        config = PyFileConfigLoader(str(path)).load_config()
    except Exception as error:
        raise GradingError(f"{path} cannot be loaded ({type(error).__name__}: {error}); mend it.") from None
    config.CourseDirectory.root = str(course)
    configure(config)
    return config


def converter(kind: type, course: Path, lesson: str, student: str = "*", **options: Any) -> Any:
    """Return one of nbgrader's converters, quiet, for one student."""
    config = configuration(course)
    config.CourseDirectory.assignment_id = lesson
    config.CourseDirectory.student_id = student
    log = logging.getLogger("autograder.nbgrader")
    log.propagate = False
    log.setLevel(logging.ERROR)
    logging.getLogger("tornado.application").addHandler(logging.NullHandler())  # nbgrader's api prints tracebacks there
    made = kind(coursedir=CourseDirectory(config=config), config=config, **options)
    made.log = log
    return made


class _Heard(logging.Handler):
    """Keeps the error that a converter tells its log; what it raises itself says only that there was one."""

    error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.error = sys.exc_info()[1] or self.error


def convert(kind: type, course: Path, lesson: str, student: str = "*", **options: Any) -> None:
    """Run one of nbgrader's converters. Raises: what went wrong first, not nbgrader's summary of it."""
    made, heard = converter(kind, course, lesson, student, force=True, **options), _Heard()
    made.log.handlers = [heard]
    try:
        made.start()
        return
    except Exception as summary:
        error = heard.error or summary
    raise error  # here, where it keeps its own causes


# What a reason holds, and what to do about it.
ADVICE = {
    "locked": "close other programs that use it (formgrader, another grading)",
    "no such": "run `nbgrader db upgrade` in the course's folder",
    "space|full|quota": "make room",
    "read-?only": "make it writable",
}
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


@contextlib.contextmanager
def _one_sentence() -> Iterator[None]:
    """Raises: GradingError in place of what concerns the whole course: a full disk, a gradebook that cannot be used."""
    try:
        yield
    except Exception as error:
        cause = _of_the_course(error)
        if cause is None:
            raise
        reason = str(getattr(cause, "orig", None) or getattr(cause, "strerror", cause))
        if type(cause) is DatabaseError:
            raise GradingError(
                f"The gradebook is damaged ({reason}); put a copy of it back, or move it away: grading then writes a "
                "new one, which lacks only what was graded by hand."
            ) from None
        advice = next((what for sign, what in ADVICE.items() if re.search(sign, reason.lower())), "look at its disk")
        raise GradingError(
            f"The course's folder or its gradebook cannot be used ({reason}); {advice}, then run the same command "
            "again: nothing is lost."
        ) from None


def _of_the_course(error: BaseException | None) -> BaseException | None:
    """Return the error behind an error that would meet every student alike, None when there is none."""
    while error is not None:
        full = isinstance(error, OSError) and error.errno in FULL
        if full or isinstance(error, OperationalError) or type(error) is DatabaseError:
            return error
        error = error.__cause__ or error.__context__
    return None


def prepare(course: Path, lesson: str) -> None:
    """Make sure that the gradebook knows the lesson as the sources have it, by `generate_assignment`.

    Raises: GradingError when graded cells were added or removed though submissions exist.
    """
    _write_source(course, lesson)
    url = CourseDirectory(config=configuration(course)).db_url
    _create_whole(url)
    wanted = {cell.grade_id for cell in Lesson.load(lesson).of_role(*ROLES)}
    with Gradebook(url) as gradebook:
        try:
            known = {cell.name: cell.source for cell in gradebook.find_notebook(lesson, lesson).source_cells}
        except MissingEntry:
            known = {}
        tests = {c.grade_id: c.hidden for c in Lesson.load(lesson).of_role("test")}
        if set(known) == wanted and all(hidden in known[name] for name, hidden in tests.items()):
            return
    try:
        convert(GenerateAssignment, course, lesson, ".")
    except Exception as error:
        if _of_the_course(error):
            raise
        raise GradingError(
            f"The gradebook holds another release of {lesson} ({error}); put source/{lesson}.py back to the text that "
            "was released, or grade in a course folder of its own (--course)."
        ) from None


def _write_source(course: Path, lesson: str) -> None:
    """Bring the course's instructor notebook up to date with the lesson's text, unless it was edited by hand."""
    text = Lesson.load(lesson)
    notebook = text.to_instructors()
    path = course / "source" / lesson / f"{lesson}.ipynb"
    if path.is_file():
        there = read_instructors(path)
        if content_hash(there) == content_hash(notebook):
            return
        if text.lacks_edit_of(there):
            raise GradingError(
                f"{path} was edited since it was built; bring the edit into source/{lesson}.py with "
                f"`python -m autograder build {lesson} --pull`, then release and grade again."
            )
    write_whole(path, write_notebook(notebook))


def _create_whole(url: str) -> None:
    """Create a missing SQLite gradebook in one step: killed halfway, nbgrader would leave one without its version."""
    path = Path(url.removeprefix("sqlite:///"))
    if not url.startswith("sqlite:///") or path.exists():
        return
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    try:
        Gradebook(f"sqlite:///{part}").close()
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(course: Path, lesson: str, wanted: dict[str, Path], done: Done, report: "Report", on_step: Callable) -> None:
    """Let nbgrader write gradebook and `autograded/`, student by student."""
    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")  # nbgrader's own, of no consequence
    with _one_sentence():
        prepare(course, lesson)
        with _one_engine():
            for number, (student, path) in enumerate(wanted.items(), start=1):
                content = done.content(path)  # what is handed in from here on is for the next run
                try:
                    convert(Autograde, course, lesson, student)
                except Exception as error:
                    if _of_the_course(error):
                        raise
                    report.failed[student] = " ".join(str(error).split())[:300] or type(error).__name__
                else:
                    done.note(student, content)
                    report.graded.append(student)
                on_step("written", student, number, len(wanted))


def feedback(course: Path, lesson: str) -> None:
    """Write every graded student's feedback, by `nbgrader generate_feedback`. Raises: GradingError."""
    done = Done(course, lesson)
    with only_one(course), _one_sentence():
        try:
            convert(GenerateFeedback, course, lesson)
        except Exception as error:
            if _of_the_course(error):
                raise
            raise GradingError(
                f"Feedback could not be written for everybody ({' '.join(str(error).split())[:300]}); marks are safe. "
                f"`nbgrader generate_feedback {lesson}` names the students."
            ) from None
        done.owed.unlink(missing_ok=True)


def marks(course: Path, lesson: str) -> dict[str, dict[str, float | None]]:
    """Return each student's score by graded cell from the gradebook; None where a person has yet to grade."""
    url = CourseDirectory(config=configuration(course)).db_url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return {}
    with _one_sentence(), Gradebook(url) as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions(lesson):
            grades = submission.notebooks[0].grades if submission.notebooks else []
            found[submission.student.id] = {g.name: None if g.needs_manual_grade else g.score for g in grades}
        return found
