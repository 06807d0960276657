"""Where things lie; imports nothing heavy, so that a command with nothing to do is done at once."""

from pathlib import Path

from utils.errors import WorkbookError

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "source"


class LessonError(WorkbookError):
    """A lesson is unknown or its text cannot be read; the sentence names the cell."""


def lesson_names() -> list[str]:
    """The lessons' names, in alphabetical order."""
    return sorted(path.stem for path in SOURCE.glob("*.py"))


def require_lesson(name: str) -> None:
    """Raises: LessonError, naming the lessons there are, when there is no lesson `name`."""
    if name not in lesson_names():
        raise LessonError(f"There is no lesson {name!r}; the lessons are: {', '.join(lesson_names())}.")
