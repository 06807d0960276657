"""The arguments that several commands share: a lesson, and the course that a command is about."""

from pathlib import Path

import click

from autograder.common.course import Course
from autograder.common.paths import course_above


def _course(context: click.Context, parameter: click.Parameter, named: Path | None) -> Course:
    """Return the named course, else the course that contains the current folder. Raises: CourseError."""
    return Course(named or course_above(Path.cwd()))


LESSON = click.argument("lesson_name", metavar="LESSON")
COURSE = click.option(
    "--course", type=click.Path(path_type=Path), callback=_course, help="The course's folder; else the current one."
)
