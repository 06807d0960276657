"""The places where we reach into nbgrader (0.9.6): private names, and methods that were not meant to be replaced.

    course_of               the folders that a part of nbgrader works in
    read_times_with         the two methods that read `timestamp.txt`
    require_step            autograding's list of steps
    grade_in_one_pass       autograding's two passes over each notebook
    write_alone             the converters that write the gradebook
    start                   the error that a converter only logs
    put_alembic_on_path     the program `alembic`, which nbgrader starts by its name
    copy_nothing_beside     the files that travel with a submission
    release_only            the files that travel with a lesson

Each function says why no other way exists. `pyproject.toml` keeps newer versions of nbgrader out until
`tests/autograder/common/test_compat.py`, which has a test for each, has passed with them. Changes of nbgrader that save
time are in `autograder/speed`; those of IPython and torch are in `sandbox/inside`.
"""

import contextlib
import logging
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import cast

from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import Exchange

from autograder.common.errors import GradingError

# nbgrader's own methods, which `write_alone` and `release_only` replace and call.
_make_assignment = GenerateAssignment.start
_copy_beside = GenerateAssignment.init_assignment


def course_of(part: NbGraderAPI | NbGrader | Exchange | BaseConverter) -> CourseDirectory:
    """Return the course that an object of nbgrader works in; its type says that it may be None, but it never is."""
    return cast(CourseDirectory, part.coursedir)


def read_times_with(submitted_at: Callable[[Path], datetime | None]) -> None:
    """Make nbgrader call `submitted_at(folder)` for the time at which a folder was handed in.

    nbgrader's own two methods wait for ever on a pipe called `timestamp.txt`, and fail for the whole class if the file
    does not contain a time. nbgrader lacks a setting for this and creates the objects itself, so its classes are
    changed. A second call replaces the function of the first.
    """

    def get_existing_timestamp(self: CourseDirectory, dest_path: str) -> datetime | None:
        return submitted_at(Path(dest_path))

    def get_submitted_timestamp(self: NbGraderAPI, assignment_id: str, student_id: str) -> datetime | None:
        folders = course_of(self)
        return submitted_at(Path(folders.format_path(folders.submitted_directory, student_id, assignment_id)))

    setattr(CourseDirectory, get_existing_timestamp.__name__, get_existing_timestamp)
    setattr(NbGraderAPI, get_submitted_timestamp.__name__, get_submitted_timestamp)


def require_step(step: type, sentence: str) -> None:
    """Make autograding fail with this sentence unless `step` is one of its steps.

    The class itself is changed because Jupyter, after an error in a configuration file, ignores the whole file and goes
    on: nbgrader would then run student code without the sandbox. A second call replaces the step of the first.
    """

    def init_notebooks(self: Autograde) -> None:
        if step not in self.autograde_preprocessors:
            self.log.error(sentence)
            raise NbGraderException(sentence)
        BaseConverter.init_notebooks(self)

    setattr(Autograde, init_notebooks.__name__, init_notebooks)


def grade_in_one_pass() -> None:
    """Make autograding convert each notebook once, by the steps in `autograde_preprocessors`.

    nbgrader converts twice: it sanitizes the submission and writes it, then reads it again and grades it. A notebook
    that our intake has taken in needs no sanitizing.
    """

    def convert_single_notebook(self: Autograde, notebook_filename: str) -> None:
        self.set_trait("sanitize_preprocessors", self.autograde_preprocessors)
        self._init_preprocessors()
        BaseConverter.convert_single_notebook(self, notebook_filename)

    setattr(Autograde, convert_single_notebook.__name__, convert_single_notebook)


def write_alone(lock: Callable[[Path, str], AbstractContextManager[None]]) -> None:
    """Make the converters that write the gradebook hold `lock(course, address of the gradebook)`.

    nbgrader lets two converters run at once, by a command or by formgrader's button: each then fails at rows that the
    other has begun, and students get zeros in the gradebook. `lock` raises GradingError, one sentence, while another
    process holds the lock. A second call replaces the lock of the first.
    """

    for kind, nbgraders_start in ((Autograde, BaseConverter.start), (GenerateAssignment, _make_assignment)):
        # A default argument keeps this round's method; the variable itself would have its last value in both.
        def start(self: Autograde | GenerateAssignment, nbgraders_start: Callable[..., None] = nbgraders_start) -> None:
            with contextlib.ExitStack() as held:
                try:
                    held.enter_context(lock(Path(course_of(self).root), str(course_of(self).db_url)))
                except GradingError as error:
                    self.log.error(str(error))
                    raise NbGraderException(str(error)) from None
                nbgraders_start(self)

        setattr(kind, start.__name__, start)


class _LastError(logging.Handler):
    """Keeps the exception that was being handled at the last call of the log."""

    error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.error = sys.exc_info()[1] or self.error


def start(converter: BaseConverter) -> None:
    """Run one of nbgrader's converters without its log. Raises: the last student's error, not nbgrader's summary.

    A converter catches and logs the error of each student; at its end it raises an error without the reason. nbgrader's
    database layer also prints tracebacks to tornado's log.
    """
    last_error = _LastError()
    log = logging.getLogger("autograder.nbgrader")
    log.propagate = False
    log.setLevel(logging.ERROR)
    log.handlers = [last_error]
    converter.log = log
    tornado_log = logging.getLogger("tornado.application")
    if not any(isinstance(handler, logging.NullHandler) for handler in tornado_log.handlers):
        tornado_log.addHandler(logging.NullHandler())
    try:
        converter.start()
        return
    except Exception as summary:
        error = last_error.error or summary
    raise error  # outside the `except`, so that the summary does not become its context


def put_alembic_on_path() -> None:
    """Put this Python's folder on the PATH, where nbgrader looks for `alembic` to bring a gradebook up to date.

    The PATH lacks this folder if Python was started by its path, without an activated environment.
    """
    folder = str(Path(sys.executable).parent)
    if folder not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([folder, os.environ.get("PATH", "")])


def copy_nothing_beside(converter: Autograde | GenerateAssignment) -> None:
    """Keep a converter from copying files beside a notebook, such as modules that would hide ours, links, pipes.

    The setting for that, the course's `ignore`, also applies to the release. So this converter gets its own copy of the
    course's settings, in which `ignore` alone differs.
    """
    settings = {name: getattr(converter.coursedir, name) for name in CourseDirectory.class_trait_names(config=True)}
    converter.coursedir = CourseDirectory(**(settings | {"ignore": ["*"]}))


def release_only(folder: str, is_lesson: Callable[[Path], bool]) -> None:
    """Make `generate_assignment` copy nothing beside a lesson's notebook but `folder`, if the lesson has that folder.

    nbgrader copies every file beside the instructor's notebook into the release, so hidden tests and solutions would
    reach the students. nbgrader's setting `ignore` lists names not to copy, and a list would miss `exam_old.py`.
    Assignments that are not lessons are copied as nbgrader's documentation says.
    """

    def init_assignment(self: GenerateAssignment, assignment_id: str, student_id: str) -> None:
        source = Path(self._format_source(assignment_id, student_id))
        if not is_lesson(source):
            return _copy_beside(self, assignment_id, student_id)
        settings = self.coursedir
        copy_nothing_beside(self)
        try:
            _copy_beside(self, assignment_id, student_id)
        finally:
            self.coursedir = settings
        if (source / folder).is_dir():
            shutil.copytree(source / folder, Path(self._format_dest(assignment_id, student_id), folder))

    setattr(GenerateAssignment, init_assignment.__name__, init_assignment)
