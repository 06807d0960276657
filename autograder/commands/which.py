"""What several commands share: the arguments for a lesson and for a course, and a sentence on a missing package."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click

from autograder.common.course import Course
from autograder.common.paths import course_above
from autograder.common.sentences import T_, speak


def _course(context: click.Context, parameter: click.Parameter, named: Path | None) -> Course:
    """Return the named course, else the course that contains the current folder. Raises: CourseError.

    From here on, the command speaks the course's language.
    """
    return _speaking(Course(named or course_above(Path.cwd())))


def around(folder: Path) -> Course:
    """Return the course that contains a folder, or else the workbook; from here on, speak its language."""
    return _speaking(Course.around(folder))


def _speaking(course: Course) -> Course:
    speak(course.language)
    return course


def wrote(path: Path) -> str:
    """Return the line that a command prints of a file that it has written."""
    return T_("wrote {path}", path=path)


LESSON = click.argument("lesson_name", metavar="LESSON")
COURSE = click.option(
    "--course",
    type=click.Path(path_type=Path),
    callback=_course,
    help="The course's folder; by default, the current one.",
)


@contextlib.contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import modules in this block that need an extra of the package, which most courses do not install."""
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = f"This needs {error.name}, which is not installed; type: pip install 'attention-workbook[{extra}]'"
        raise click.ClickException(sentence) from None
