"""`workbook open LESSON`: everything that is to be done before students can begin; each step prints one line.

The list of students is read, the assignment and its date are set, the notebook is generated with the modules beside it,
the bundle is written, and the lesson is released to the exchange if there is one. Typed again after an update of the
workbook, the command changes what has changed.
"""

import logging
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from logging.handlers import BufferingHandler
from typing import Any, cast

from nbgrader.api import Gradebook
from nbgrader.auth import Authenticator
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from traitlets.config import Config

from autograder.common.course import Course
from autograder.common.course_file import NAME as COURSE_FILE
from autograder.common.course_file import with_points
from autograder.common.errors import CourseError, GradingError
from autograder.common.paths import write_whole
from autograder.common.sentences import T_, joined, number
from autograder.common.times import read_time, said
from autograder.course import bundle
from autograder.course.own import bring_up_to_date
from autograder.gradebook import converters, doors
from autograder.gradebook.configuration import configuration, gradebook_url
from autograder.gradebook.ledger import DUE, EVERYBODY, OPEN, Cell, witness
from autograder.gradebook.release_assignment import ReleaseAssignment
from autograder.gradebook.state import only_one
from autograder.gradebook.trouble import one_sentence
from autograder.intake.roster import STUDENTS, Roster, excused
from autograder.lesson.text import Lesson
from autograder.speed.gradebook import one_engine
from utils.common.messages import in_context


def open_lesson(course: Course, lesson: Lesson, due: str = "") -> Iterator[str]:
    """Do all steps, and yield a sentence after each. Raises: CourseError, GradingError."""
    config, zone = configuration(course), course.settings.timezone
    if (written := course.settings.of_lesson(lesson.name).due) and due:
        raise CourseError(
            "{file} says when {lesson} is due, {date}; change it there.",
            file=course / COURSE_FILE,
            lesson=lesson.name,
            date=written,
        )
    due = due or written
    date = read_time(due, zone) if due else None
    students, unasked = Roster.of(course).rows, excused(course, lesson.name)
    yield _students(len(students), len(unasked))
    released = course / "release" / lesson.name / f"{lesson.name}.ipynb"
    before = released.read_bytes() if released.is_file() else b""
    with only_one(course), one_sentence(), one_engine():
        bring_up_to_date(lesson)
        doors.prove(lesson)  # before anything of the course changes
        yield from converters.prepare(course, lesson)
        converters.convert(GenerateAssignment, config, lesson.name, ".")
        yield _due(set_due(gradebook_url(course), lesson.name, date), zone)
        witness(course, gradebook_url(course), OPEN, lesson=lesson.name, given=[Cell(lesson.name, EVERYBODY, DUE)])
    yield _notebook(lesson, config, before, released.read_bytes())
    opened = opened_lessons(course)
    bundle.write(course, config.Stamp.get("address", ""), opened)
    archive = course / "bundle" / bundle.ARCHIVE
    yield T_("Bundle: {archive}, with {lessons}.", archive=archive, lessons=joined(opened))
    yield release(config, lesson.name)


def set_points(course: Course, lesson_name: str, texts: Sequence[str]) -> str:
    """Set points of a lesson's questions in `course.toml`; return a sentence.

    texts: as `self_attention=8`. Raises: CourseError, with the file as it was.
    """
    pairs = [re.fullmatch(r"(\w+)=(\d+(?:\.\d+)?)", text) for text in texts]
    if wrong := [text for text, pair in zip(texts, pairs, strict=True) if pair is None]:
        raise CourseError(
            "--points {given} cannot be read; write QUESTION=NUMBER, for instance self_attention=8.", given=wrong[0]
        )
    new = {pair[1]: float(pair[2]) for pair in pairs if pair}
    path = course / COURSE_FILE
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    points = course.settings.of_lesson(lesson_name).points | new
    # The lesson's own check of the points reads the file, so the file is written first and put back if it fails.
    write_whole(path, with_points(before, lesson_name, points))
    try:
        Lesson.load(lesson_name, course)
    except CourseError:
        write_whole(path, before)
        raise
    changed = joined(f"{name} {number(most):g}" for name, most in new.items())
    return T_("Points: {points}, written into {file}.", points=changed, file=COURSE_FILE)


def opened_lessons(course: Course) -> list[str]:
    """Return the lessons whose notebook was generated in this course, in the course's order."""
    return [name for name in course.in_order() if (course / "release" / name / f"{name}.ipynb").is_file()]


def _students(listed: int, unasked: int) -> str:
    about = {"number": listed, "file": STUDENTS}
    if not listed:
        return T_(
            "Students: {file} is empty; until it has a line for each student, submissions of everybody are accepted.",
            file=STUDENTS,
        )
    if unasked:
        return T_("Students: {number} in {file}, {excused} of them excused.", **about, excused=unasked)
    return T_("Students: {number} in {file}.", **about)


def set_due(url: str, lesson_name: str, date: datetime | None) -> datetime | None:
    """Set an assignment's due date (UTC), unless it is None; return the date that it has."""
    with Gradebook(url) as gradebook:
        kept = gradebook.find_assignment(lesson_name).duedate
        if date is None or date == kept:
            return kept if kept is None else datetime.fromisoformat(str(kept))
        gradebook.update_or_create_assignment(lesson_name, duedate=cast(Any, date))  # declared as a dict
        return date


def _due(date: datetime | None, zone: str) -> str:
    return T_("Due: {date}.", date=said(date, zone)) if date else T_('Due: no date; --due "2030-01-31 23:59" sets one.')


def _notebook(lesson: Lesson, config: Config, before: bytes, after: bytes) -> str:
    graded = lesson.of_role("test", "essay")
    state = (
        T_(in_context("a notebook that was made before", "as before"))
        if before == after
        else T_("made again")
        if before
        else T_("made")
    )
    return T_(
        "Notebook: {state}; {number} questions, {points:g} points, language {language}.",
        state=state,
        number=len(graded),
        points=sum(cell.points for cell in graded),
        language=str(config.Translate.get("language", "en")),
    )


def release(config: Config, lesson_name: str) -> str:
    """Release a lesson to the exchange, if the course has one; return a sentence. Raises: GradingError."""
    root = config.Exchange.get("root", "")
    if not root:
        return T_("Exchange: none; hand out the bundle.")
    config.CourseDirectory.assignment_id = lesson_name
    # nbgrader's exception says only that there was an error; its log says which.
    log, errors = logging.getLogger("autograder.opening"), BufferingHandler(sys.maxsize)
    errors.setLevel(logging.ERROR)
    log.propagate, log.handlers = False, [errors]
    parts = {"coursedir": CourseDirectory(config=config), "authenticator": Authenticator(config=config)}
    step = ReleaseAssignment(config=config, **parts)  # type: ignore[no-untyped-call]  # nbgrader's
    step.log = log
    try:
        step.start()  # type: ignore[no-untyped-call]  # nbgrader's
    except ExchangeError as error:
        reason = errors.buffer[0].getMessage() if errors.buffer else str(error)
        raise GradingError(
            "{lesson} could not be put into the exchange {root} ({reason}).",
            root=root,
            lesson=lesson_name,
            reason=reason,
        ) from None
    return T_("Exchange: released in {root}, with the modules beside it.", root=root)
