"""The arguments that several commands share: a lesson, and the course that a command is about."""

import os
from pathlib import Path

import click


def _course(context: click.Context, parameter: click.Parameter, named: Path | None) -> Path:
    """Return the named folder, else the course around the current folder. Raises: CourseError."""
    from autograder.common import paths, settings

    course = named.resolve() if named else paths.course_above(Path.cwd())
    os.environ[settings.COURSE_FOLDER] = str(course)  # its lessons are meant from here on
    return course


def in_course_here() -> Path | None:
    """Have the lessons of the course around the current folder meant; return the course, None outside of one."""
    from autograder.common import paths, settings
    from autograder.common.errors import CourseError

    try:
        course = paths.course_above(Path.cwd())
    except CourseError:
        return None
    os.environ[settings.COURSE_FOLDER] = str(course)
    return course


LESSON = click.argument("lesson_name", metavar="LESSON")
COURSE = click.option(
    "--course",
    type=click.Path(path_type=Path),
    callback=_course,
    help="The course's folder; else the one you are in.",
)
