"""nbgrader's part of grading: its converters, run for one student after the other, and its gradebook, read.

nbgrader stays the book-keeper: scores, `autograded/` and `feedback/` are written by its own code.
"""

import contextlib
import errno
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError, OperationalError, SAWarning
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.common import compat
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT, write_whole
from autograder.gradebook.state import Done, only_one
from autograder.gradebook.steps import Examine, configure
from autograder.gradebook.summary import OnStep, RunSummary
from autograder.lesson.text import ROLES, Lesson, content_hash, read_instructors, write_notebook

CONFIG = ROOT / "nbgrader_config.py"


def configuration(course: Path) -> Config:
    """Return the configuration of this course that nbgrader's own commands load, with our steps in any case.

    Raises: GradingError when the course's file cannot be loaded.
    """
    local = course / "nbgrader_config.py"
    path = local if local.is_file() else CONFIG
    try:
        config = PyFileConfigLoader(str(path)).load_config()
    except (Exception, SystemExit) as error:
        raise GradingError(f"{path} cannot be loaded ({type(error).__name__}: {error}); mend it.") from None
    if Examine not in config.Autograde.get("autograde_preprocessors", []):
        raise GradingError(
            f"{path} does not load the workbook's steps, so that nbgrader would run student code without the sandbox; "
            f'write into it: load_subconfig("{CONFIG.name}", path={str(CONFIG.parent)!r})'
        )
    config.CourseDirectory.root = str(course)
    configure(config)
    return config


def convert(
    kind: type[BaseConverter], course: Path, lesson_name: str, student: str = "*", *, force: bool = True
) -> None:
    """Run one of nbgrader's converters, for one student or all. Raises: what went wrong first.

    Without `force` it leaves what it made before, unless a later submission has come.
    """
    config = configuration(course)
    config.CourseDirectory.assignment_id = lesson_name
    config.CourseDirectory.student_id = student
    compat.start(kind(coursedir=CourseDirectory(config=config), config=config, force=force))


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


def prepare(course: Path, lesson: Lesson) -> None:
    """Make sure that the gradebook knows the lesson as the sources have it, by `generate_assignment`.

    Raises: GradingError when graded cells were added or removed though submissions exist.
    """
    _write_source(course, lesson)
    url = CourseDirectory(config=configuration(course)).db_url
    _create_whole(url)
    wanted = {cell.grade_id for cell in lesson.of_role(*ROLES)}
    with Gradebook(url) as gradebook:
        try:
            cells = gradebook.find_notebook(lesson.name, lesson.name).source_cells
        except MissingEntry:
            cells = []
        known = {cell.name: cell.source for cell in cells}
    if set(known) == wanted and all(test.hidden in known[test.grade_id] for test in lesson.of_role("test")):
        return
    try:
        convert(GenerateAssignment, course, lesson.name, ".")
    except Exception as error:
        if _of_the_course(error):
            raise
        raise GradingError(
            f"The gradebook holds another release of {lesson.name} ({error}); put source/{lesson.name}.py back to the "
            "text that was released, or grade in a course folder of its own (--course)."
        ) from None


def _write_source(course: Path, lesson: Lesson) -> None:
    """Bring the course's instructor notebook up to date with the lesson's text.

    Raises: GradingError where it was edited by hand; the edit stays.
    """
    notebook = lesson.to_instructors()
    path = course / "source" / lesson.name / f"{lesson.name}.ipynb"
    if path.is_file():
        there = read_instructors(path)
        if content_hash(there) == content_hash(notebook):
            return
        if lesson.lacks_edit_of(there):
            raise GradingError(
                f"{path} was edited since it was built; bring the edit into source/{lesson.name}.py with "
                f"`python -m autograder build {lesson.name} --pull`, then release and grade again."
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


def write(
    course: Path, lesson: Lesson, wanted: dict[str, Path], done: Done, summary: RunSummary, on_step: OnStep
) -> None:
    """Let nbgrader write gradebook and `autograded/`, student by student; add to the summary what became of each.

    Raises: GradingError for what concerns the whole course.
    """
    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")  # nbgrader's own, of no consequence
    with _one_sentence():
        prepare(course, lesson)
        with compat.one_engine():
            for number, (student, path) in enumerate(wanted.items(), start=1):
                content = done.content(path)  # what is handed in from here on is for the next run
                try:
                    convert(Autograde, course, lesson.name, student)
                except Exception as error:
                    if _of_the_course(error):
                        raise
                    summary.failed[student] = _in_one_line(error)
                else:
                    done.note(student, content)
                    summary.graded.append(student)
                on_step("written", student, number, len(wanted))


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


def feedback(course: Path, lesson_name: str) -> None:
    """Write every graded student's feedback, by `nbgrader generate_feedback`. Raises: GradingError."""
    done = Done(course, lesson_name)
    with only_one(course), _one_sentence():
        try:
            convert(GenerateFeedback, course, lesson_name)
        except Exception as error:
            if _of_the_course(error):
                raise
            raise GradingError(
                f"Feedback could not be written for everybody ({_in_one_line(error)}); marks are safe. "
                f"`nbgrader generate_feedback {lesson_name}` names the students."
            ) from None
        done.owed.unlink(missing_ok=True)


def marks(course: Path, lesson_name: str) -> dict[str, dict[str, float | None]]:
    """Return each student's score by graded cell from the gradebook; None where a person has yet to grade."""
    url = CourseDirectory(config=configuration(course)).db_url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return {}
    with _one_sentence(), Gradebook(url) as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions(lesson_name):
            grades = submission.notebooks[0].grades if submission.notebooks else []
            found[submission.student.id] = {g.name: None if g.needs_manual_grade else g.score for g in grades}
        return found
