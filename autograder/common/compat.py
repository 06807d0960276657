"""The places where we reach into nbgrader (0.9.6): private names, and methods that were not meant to be replaced.

    course_of               the folders that a part of nbgrader works in
    read_times_with         reading of `timestamp.txt`, in two places
    require_step            the steps that autograding goes through
    grade_in_one_pass       autograding's two passes over each notebook
    write_alone             the converters that write the gradebook
    start                   the error that a converter only logs
    have_alembic_found      a program that nbgrader starts by its name
    copy_nothing_beside     the files that travel with a submission
    release_only            the files that travel with a lesson
    extracted_folder        where `zip_collect` unpacks

Each function says why there is no other way. `pyproject.toml` keeps newer versions of nbgrader out until
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
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import Exchange

from autograder.common.errors import GradingError

_make_assignment = GenerateAssignment.start  # nbgrader's own, before `write_alone`
_copy_beside = GenerateAssignment.init_assignment  # nbgrader's own, before `release_only`


def course_of(part: NbGraderAPI | NbGrader | Exchange | BaseConverter) -> CourseDirectory:
    """Return the course that a part of nbgrader works in; nbgrader declares it as optional, but it is always set."""
    return cast(CourseDirectory, part.coursedir)


def read_times_with(submitted_at: Callable[[Path], datetime | None]) -> None:
    """Have nbgrader call `submitted_at(folder)` to know when a folder was handed in; the last call of this counts.

    nbgrader's own two methods wait for ever on a pipe called `timestamp.txt`, and fail for the whole class when the
    file holds no time. There is no setting, and nbgrader makes the objects itself, so the classes are changed.
    """

    def get_existing_timestamp(self: CourseDirectory, dest_path: str) -> datetime | None:
        return submitted_at(Path(dest_path))

    def get_submitted_timestamp(self: NbGraderAPI, assignment_id: str, student_id: str) -> datetime | None:
        folders = course_of(self)
        return submitted_at(Path(folders.format_path(folders.submitted_directory, student_id, assignment_id)))

    setattr(CourseDirectory, get_existing_timestamp.__name__, get_existing_timestamp)
    setattr(NbGraderAPI, get_submitted_timestamp.__name__, get_submitted_timestamp)


def require_step(step: type, sentence: str) -> None:
    """Have autograding fail with this sentence when `step` is not one of its steps; the last call of this counts.

    The class itself is changed because Jupyter, after an error in a configuration file, drops the whole file and goes
    on: nbgrader would then run student code without the sandbox.
    """

    def init_notebooks(self: Autograde) -> None:
        if step not in self.autograde_preprocessors:
            self.log.error(sentence)
            raise NbGraderException(sentence)
        BaseConverter.init_notebooks(self)

    setattr(Autograde, init_notebooks.__name__, init_notebooks)


def grade_in_one_pass() -> None:
    """Have autograding convert each notebook once, by the steps in `autograde_preprocessors`.

    nbgrader converts twice: it sanitizes the submission and writes it, then reads it again and grades it. What our
    intake returns needs no sanitizing.
    """

    def convert_single_notebook(self: Autograde, notebook_filename: str) -> None:
        self.set_trait("sanitize_preprocessors", self.autograde_preprocessors)
        self._init_preprocessors()
        BaseConverter.convert_single_notebook(self, notebook_filename)

    setattr(Autograde, convert_single_notebook.__name__, convert_single_notebook)


def write_alone(lock: Callable[[Path], AbstractContextManager[None]]) -> None:
    """Have the converters that write the gradebook hold `lock(course)`; the last call of this counts.

    nbgrader lets two of them run at once, by a command or by formgrader's button: each then fails at what the other has
    begun, and students stand in the gradebook with zeros. `lock` raises GradingError, one sentence, while another runs.
    """

    for kind, nbgraders in ((Autograde, BaseConverter.start), (GenerateAssignment, _make_assignment)):

        def start(self: Autograde | GenerateAssignment, nbgraders: Callable[..., None] = nbgraders) -> None:
            with contextlib.ExitStack() as held:
                try:
                    held.enter_context(lock(Path(course_of(self).root)))
                except GradingError as error:
                    self.log.error(str(error))
                    raise NbGraderException(str(error)) from None
                nbgraders(self)

        setattr(kind, start.__name__, start)


class _LastError(logging.Handler):
    """Keeps the exception during which something was logged last."""

    error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.error = sys.exc_info()[1] or self.error


def start(converter: BaseConverter) -> None:
    """Run one of nbgrader's converters without its log. Raises: the error that it met, not nbgrader's summary.

    A converter catches and logs the error of each student, and raises at its end that somebody failed. nbgrader's
    database layer prints tracebacks to tornado's log besides.
    """
    kept = _LastError()
    log = logging.getLogger("autograder.nbgrader")
    log.propagate = False
    log.setLevel(logging.ERROR)
    log.handlers = [kept]
    converter.log = log
    tornados = logging.getLogger("tornado.application")
    if not any(isinstance(handler, logging.NullHandler) for handler in tornados.handlers):
        tornados.addHandler(logging.NullHandler())
    try:
        converter.start()
        return
    except Exception as summary:
        error = kept.error or summary
    raise error  # outside the `except`, so that the summary does not become its context


def have_alembic_found() -> None:
    """Put this Python's folder on the PATH, where nbgrader looks for `alembic` to bring a gradebook up to date.

    The folder is not there when the interpreter was started by its path.
    """
    beside = str(Path(sys.executable).parent)
    if beside not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([beside, os.environ.get("PATH", "")])


def copy_nothing_beside(converter: Autograde | GenerateAssignment) -> None:
    """Have a converter copy no file from beside a notebook: modules that would hide ours, links, pipes.

    The setting for that, the course's `ignore`, is shared with the release. So this converter gets a course of its own
    that differs in this setting alone.
    """
    kept = {name: getattr(converter.coursedir, name) for name in CourseDirectory.class_trait_names(config=True)}
    converter.coursedir = CourseDirectory(**(kept | {"ignore": ["*"]}))


def release_only(folder: str, is_lesson: Callable[[Path], bool]) -> None:
    """Have `generate_assignment` copy of a lesson's folder nothing but `folder`, if the lesson has one.

    nbgrader copies every file beside the instructor's notebook into the release, so hidden tests and solutions that lie
    there would reach the students. Its setting `ignore` lists what not to copy; a list of names misses `exam_old.py`.
    Assignments that are no lessons are copied as nbgrader's documentation says.
    """

    def init_assignment(self: GenerateAssignment, assignment_id: str, student_id: str) -> None:
        source = Path(self._format_source(assignment_id, student_id))
        if not is_lesson(source):
            return _copy_beside(self, assignment_id, student_id)
        whole = self.coursedir
        copy_nothing_beside(self)
        try:
            _copy_beside(self, assignment_id, student_id)
        finally:
            self.coursedir = whole
        if (source / folder).is_dir():
            shutil.copytree(source / folder, Path(self._format_dest(assignment_id, student_id), folder))

    setattr(GenerateAssignment, init_assignment.__name__, init_assignment)


def extracted_folder(app: ZipCollectApp) -> Path:
    """Return the folder into which `nbgrader zip_collect` unpacks; nbgrader does not tell it to its plugins."""
    return Path(app._format_collect_path(app.extracted_directory))
