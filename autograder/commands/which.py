"""Which course a command is about."""

from pathlib import Path


def course_of(named: Path | None) -> Path:
    """Return the course's folder: the named one, else the one that we stand in. Raises: CourseError."""
    from autograder.common import paths

    return named.resolve() if named else paths.course_above(Path.cwd())
