"""nbgrader's part of grading: its converters, run for one student after the other.

Scores, `autograded/` and `feedback/` are written by nbgrader's own code.
"""

import contextlib
import warnings
from collections.abc import Collection
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook, MissingEntry, Student
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.common import compat
from autograder.common.course import Course
from autograder.common.errors import GradingError, SandboxError, SandboxLost
from autograder.common.paths import gradebook_file, is_missing, write_whole
from autograder.common.sentences import T_, joined, number
from autograder.course.sources import write_source
from autograder.gradebook.books import standings
from autograder.gradebook.configuration import configuration, gradebook_url
from autograder.gradebook.copies import keep_copy, refuse_to_replace
from autograder.gradebook.no_page import write_no_page
from autograder.gradebook.state import Done, only_one
from autograder.gradebook.summary import OnStep, RunSummary
from autograder.gradebook.trouble import course_wide_cause, one_sentence
from autograder.intake.roster import Roster
from autograder.lesson.text import ROLES, Lesson
from autograder.speed.gradebook import one_engine

# What a gradebook keeps of a student in students.csv.
FIELDS = ("first_name", "last_name", "email", "lms_user_id")


def convert(
    kind: type[BaseConverter], config: Config, lesson_name: str, student: str = "*", *, force: bool = True
) -> None:
    """Run one of nbgrader's converters in a course of this configuration, for one student or all.

    Without `force`, earlier results stay unless a later submission has come. Raises: the first error that it met.
    """
    config.CourseDirectory.assignment_id = lesson_name
    config.CourseDirectory.student_id = student
    config.GenerateAssignment.exporter_class = NotebookExporter  # `prepare` has written the source already
    compat.start(kind(coursedir=CourseDirectory(config=config), config=config, force=force))


def prepare(course: Course, lesson: Lesson) -> list[str]:
    """Bring the gradebook's questions up to date with the lesson's text, by `generate_assignment`.

    Returns: sentences on what changed. Raises: GradingError when nbgrader cannot do it.
    """
    write_source(lesson)
    url = gradebook_url(course)
    _create_whole(url)
    grade_ids = {cell.grade_id for cell in lesson.of_role(*ROLES)}
    points = {cell.grade_id: cell.points for cell in lesson.of_role("test", "essay")}
    with Gradebook(url) as gradebook:
        news = enrol(course, gradebook)
        try:
            notebook = gradebook.find_notebook(lesson.name, lesson.name)
            cells, graded = notebook.source_cells, {cell.name: cell.max_score for cell in notebook.grade_cells}
        except MissingEntry:
            cells, graded = [], {}
        known = {cell.name: cell.source for cell in cells}
    same = set(known) == grade_ids and graded == points
    if same and all(test.hidden in known[test.grade_id] for test in lesson.of_role("test")):
        return news
    try:
        with one_engine():
            convert(GenerateAssignment, configuration(course), lesson.name, ".")
    except Exception as error:
        if course_wide_cause(error):
            raise
        raise GradingError(
            "The gradebook could not be brought up to date with source/{lesson}/lesson.py ({error}); restore that "
            "text as it was released, or grade in a separate course folder (--course).",
            lesson=lesson.name,
            error=str(error),
        ) from None
    return news + (_news(graded, points) if graded else [])


def enrol(course: Course, gradebook: Gradebook) -> list[str]:
    """Add students and correct their names; remove students who are not in the list and have no submission (any more).

    Returns: sentences on who was removed. With an empty list nothing is done.
    """
    listed = Roster.of(course).rows
    if not listed:
        return []
    known: dict[str, Any] = {str(student.id): student for student in gradebook.students}
    for name, row in listed.items():
        values = {field: row.get(field) or None for field in FIELDS}
        student = known.get(name)
        if student is None:
            gradebook.db.add(Student(id=name, **values))
        elif values != {field: getattr(student, field) for field in FIELDS}:
            for field, value in values.items():
                setattr(student, field, value)
    gradebook.db.commit()
    gone = [name for name in known if name not in listed and not (course / "submitted" / name).exists()]
    for name in gone:
        gradebook.remove_student(name)
    sentence = T_("No longer in the gradebook, because not in students.csv: {names}.", names=joined(sorted(gone)))
    return [sentence] if gone else []


def _news(before: dict[str, float], now: dict[str, float]) -> list[str]:
    """Return sentences on graded cells that are new, gone, or have other points; the arguments map cells to points."""
    new, gone = sorted(now.keys() - before), sorted(before.keys() - now)
    other = sorted(name for name in before.keys() & now if before[name] != now[name])
    points = joined(f"{name} {number(before[name]):g} → {number(now[name]):g}" for name in other)
    news = [T_("New in the gradebook: {names}.", names=joined(new))] if new else []
    if gone:
        sentence = T_(
            "Removed from the gradebook, with the marks given for them: {names}; a copy of the former gradebook is in "
            ".grading/ beside it.",
            names=joined(gone),
        )
        news.append(sentence)
    return news + ([T_("Other points: {points}.", points=points)] if other else [])


def _create_whole(url: str) -> None:
    """Create a missing SQLite gradebook. Raises: GradingError if the course had one."""
    path = gradebook_file(url)
    if path is not None and is_missing(path):
        refuse_to_replace(Course(path.parent), path)
        create(path)


def create(path: Path) -> None:
    """Create a SQLite gradebook in one step; a kill in nbgrader's own way would leave one without version."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    try:
        Gradebook(f"sqlite:///{part}").close()
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(
    course: Course, lesson: Lesson, paths: dict[str, Path], done: Done, summary: RunSummary, on_step: OnStep
) -> None:
    """Have nbgrader write the gradebook and `autograded/`, one student after the other.

    `summary` gets the names of the students who were graded, and of those who failed, with the reason.
    Raises: GradingError for an error that concerns the whole course.
    """
    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")  # harmless warnings of nbgrader's queries
    with one_sentence():
        summary.news += prepare(course, lesson)
        config, before = configuration(course), standings(course, lesson.name, paths)
        with one_engine():
            for number, (student, path) in enumerate(paths.items(), start=1):
                content = done.content(path)  # taken first: a change from here on is left to the next run
                try:
                    convert(Autograde, config, lesson.name, student)
                except Exception as error:
                    if student not in before:
                        _take_back(gradebook_url(course), lesson.name, student)
                    if course_wide_cause(error) or _is_without_sandbox(error):
                        raise
                    summary.failed[student] = _in_one_line(error)
                else:
                    done.note(student, content)
                    summary.graded.append(student)
                on_step("written", student, number, len(paths))


def _is_without_sandbox(error: Exception) -> bool:
    """Return whether this computer cannot make a sandbox at all: the next student would fail as well."""
    return isinstance(error, SandboxError) and not isinstance(error, SandboxLost)


def _take_back(url: str, lesson_name: str, student: str) -> None:
    """Remove the zeros that nbgrader wrote for a new submission before the grading failed."""
    with Gradebook(url) as gradebook, contextlib.suppress(MissingEntry):
        gradebook.remove_submission(lesson_name, student)


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


def feedback(
    course: Course, lesson_name: str, *, force: bool = False, students: Collection[str] | None = None
) -> tuple[list[str], dict[str, str]]:
    """Write the feedback of each student, or of each of `students`, whose marks, comments or penalties changed.

    nbgrader's `generate_feedback` writes it, student by student; with `force` for everybody. Returns: these students,
    and those whose page could not be made, with the reason; a page with one sentence replaces it. Raises:
    GradingError for what concerns the whole course.
    """
    done = Done(course, lesson_name)
    written: list[str] = []
    failed: dict[str, str] = {}
    config, listed = configuration(course), Roster.of(course).rows
    with only_one(course, brief=students is not None), one_sentence(), one_engine():
        for student, standing in standings(course, lesson_name, students).items():
            if listed and student not in listed:
                continue
            if not done.graded(student).is_file() or (not force and done.feedback_is_from(student, standing.hash)):
                continue
            try:
                convert(GenerateFeedback, config, lesson_name, student)
            except Exception as error:
                if course_wide_cause(error):
                    raise
                failed[student] = _in_one_line(error)
                page = course / "feedback" / student / lesson_name
                write_no_page(done.graded(student), page, lesson_name, config.Translate.get("language", "en"))
            else:
                done.note_feedback(student, standing.hash)
                written.append(student)
        if not failed and students is None:
            done.owed.unlink(missing_ok=True)
    return written, failed


def settle(course: Course, done: Done, *, feedback: bool) -> None:
    """Note that all is up to date, so that the next run need not open the gradebook.

    Without `feedback`, this run has written none, and a later run owes it.
    """
    with one_sentence():
        if not feedback and not done.owed.exists():
            write_whole(done.owed, "")
        in_course = gradebook_file(gradebook_url(course)) == course / "gradebook.db"
        done.settle(in_course)
        if in_course:
            keep_copy(course)
