"""A course's own lessons: the build writes `utils/LESSON/made/` for them as it does for the workbook's lessons."""

from autograder.common.errors import BuildError
from autograder.common.paths import write_whole
from autograder.lesson.text import Lesson
from utils.common.errors import WorkbookError

# In `made/`: a hash of the files from which the others were made.
MADE_FROM = "made_from"


def bring_up_to_date(lesson: Lesson) -> None:
    """Build the course's part of a lesson again if the files from which it is made have changed.

    Raises: BuildError, a sentence on what is wrong with the lesson.
    """
    if lesson.own is None:
        return
    note, made_from = lesson.own.made / MADE_FROM, lesson.course.made_from(lesson.own)
    if note.is_file() and note.read_text(encoding="utf-8") == made_from:
        return
    from autograder.course import made  # imported here, because it loads all that the build needs

    try:
        generated = made.of_lesson(lesson, exams=True)
    except Exception as error:  # the course's own code may raise anything
        reason = error if isinstance(error, WorkbookError) else f"{type(error).__name__}: {error}"
        raise BuildError(f"{lesson.own.source} cannot be used yet. {reason}") from error
    for path, content in generated.items():
        write_whole(path, content)
    write_whole(note, made_from)  # last: a build that is interrupted is repeated
