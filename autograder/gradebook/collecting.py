"""`workbook collect LESSON`: copies submissions from the exchange and from platforms' archives into `submitted/`.

nbgrader's own `collect` and `zip_collect` do the work, with our plugins; of their output, only remarks on submissions
that need a person are printed.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from traitlets.config import Config

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.common.sentences import T_
from autograder.gradebook import appeals
from autograder.gradebook.configuration import configuration
from autograder.gradebook.state import only_one
from autograder.intake import attempts
from autograder.intake.exchange import Collect
from autograder.intake.folder import strangers, submissions
from autograder.lesson.text import Lesson
from utils.common.messages import N_


@dataclass
class Collected:
    """The result of collecting: the ways in, students with new or newer submissions, and what needs a person."""

    ways: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    newer: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    students: int = 0  # the number of students who have handed in


class Remarks(logging.Handler):
    """Keeps the warnings of our own modules; nbgrader's warnings would report every step."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.kept: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if Path(record.pathname).is_relative_to(ROOT / "autograder"):
            self.kept.append(record.getMessage())


def collect(course: Course, lesson_name: str) -> Collected:
    """Collect a lesson's submissions; of two submissions of one student, the newer stays.

    The call can be repeated: it takes new submissions, and remarks again on those that still need a person. Raises:
    GradingError if there is neither an exchange nor an archive.
    """
    config = configuration(course)
    config.CourseDirectory.assignment_id = lesson_name
    steps = _steps(course, config, lesson_name)
    if not steps:
        raise GradingError(
            "There is nothing to collect: put the platform's archive into {folder}, or name an exchange in "
            "nbgrader_config.py and type `{command}`.",
            folder=f"{course}/downloaded/{lesson_name}/archive/",
            command=f"workbook open {lesson_name}",
        )
    with only_one(course):
        before = _hashes(course, lesson_name)
        remarks = Remarks()
        for step in steps.values():
            step(_log(remarks))
        after = _hashes(course, lesson_name)
        remarks.kept += appeals.take_up(course, Lesson.load(lesson_name, course))
        if asked := appeals.open_appeals(course, lesson_name):
            remarks.kept.append(T_("Appeals without a decision, in regrades.csv: {number}.", number=len(asked)))
    return Collected(
        ways=list(steps),
        new=sorted(after.keys() - before),
        newer=sorted(student for student in after.keys() & before if after[student] != before[student]),
        remarks=remarks.kept,
        strangers=strangers(course, after),
        students=len(after),
    )


def from_exchange(course: Course, lesson_name: str) -> list[str]:
    """Take in what is new in the exchange alone, for a process that holds the lock; return the remarks on folders."""
    config, remarks = configuration(course), Remarks()
    config.CourseDirectory.assignment_id = lesson_name
    _by_exchange(CourseDirectory(config=config), config, _log(remarks), sum_up=False)
    return remarks.kept


Step = Callable[[logging.Logger], None]


def _steps(course: Course, config: Config, lesson_name: str) -> dict[str, Step]:
    """Return the ways by which this lesson can be handed in, each with the function that collects from there."""
    steps: dict[str, Step] = {}
    folders = CourseDirectory(config=config)
    root = config.Exchange.get("root", "")
    if root and (Path(root) / folders.course_id / "inbound").is_dir():
        steps[N_("the exchange")] = lambda log: _by_exchange(folders, config, log)
    archives = course / "downloaded" / lesson_name / "archive"
    if archives.is_dir() and any(archives.iterdir()):
        steps[N_("archives")] = lambda log: _by_archives(folders, config, log)
    return steps


def _log(remarks: Remarks) -> logging.Logger:
    log = logging.getLogger("autograder.collecting")
    log.propagate = False
    log.setLevel(logging.WARNING)
    log.handlers = [remarks]
    return log


def _by_exchange(folders: CourseDirectory, config: Config, log: logging.Logger, *, sum_up: bool = True) -> None:
    """Collect from the exchange; without `sum_up`, the number of refused submissions is not said at the end."""
    parts = {"coursedir": folders, "authenticator": Authenticator(config=config), "config": config}
    converter = Collect(**parts)  # type: ignore[no-untyped-call]  # nbgrader's
    converter.update, converter.log = True, log
    try:
        converter.start()  # type: ignore[no-untyped-call]  # nbgrader's
    except ExchangeError as error:
        if sum_up or not converter.refused:
            log.warning("%s", error)


def _by_archives(folders: CourseDirectory, config: Config, log: logging.Logger) -> None:
    course, lesson_name = Course(Path(folders.root)), folders.assignment_id
    if not attempts.kept(course, lesson_name):
        _unpack(folders, config, log)
        return
    with attempts.opened(course, lesson_name) as kept:
        kept.take_up(attempts.HAND)
        _unpack(folders, config, log)
        kept.take_up(attempts.ARCHIVE)
        for student in kept.students:
            kept.place(student)


def _unpack(folders: CourseDirectory, config: Config, log: logging.Logger) -> None:
    config.LmsCollector.keep_newer = True
    kinds = {name: config.ZipCollectApp[name] for name in ("extractor_plugin", "collector_plugin")}
    app = ZipCollectApp(config=config, force=True, **kinds)
    app.coursedir, app.log = folders, log
    app.init_plugins()
    app.extract_archive_files()
    app.process_extracted_files()


def _hashes(course: Course, lesson_name: str) -> dict[str, str]:
    """Return the hash of each student's submission, "" for a submission that was refused."""
    paths, refused = submissions(course, lesson_name)
    hashes = {student: sha256(path.read_bytes()).hexdigest() for student, path in paths.items() if path.is_file()}
    hashes |= dict.fromkeys(refused, "")
    if attempts.kept(course, lesson_name):  # a newer attempt may not be the one that counts
        kept = attempts.Attempts(course, lesson_name)
        hashes |= {student: f"{hashes.get(student)} {len(kept.of(student))}" for student in kept.students}
    return hashes
