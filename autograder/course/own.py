"""A course's own lessons: the build writes `utils/LESSON/made/` for them as it does for the workbook's lessons."""

import sys

from autograder.common.paths import write_whole
from autograder.course.apart import answer, run_apart
from autograder.lesson.text import Lesson

# In `made/`: a hash of the files from which the others were made.
MADE_FROM = "made_from"


def bring_up_to_date(lesson: Lesson) -> None:
    """Build the course's part of a lesson again if the files from which it is made have changed, in another process.

    Raises: BuildError, a sentence on what is wrong with the lesson.
    """
    if lesson.own is None:
        return
    note = lesson.own.made / MADE_FROM
    if not note.is_file() or note.read_text(encoding="utf-8") != lesson.course.made_from(lesson.own):
        run_apart(__name__, lesson)


def build(lesson: Lesson) -> None:
    """Write the generated files of the course's part of a lesson. Raises: whatever the lesson's files raise."""
    from autograder.course import made  # imported here, because it loads all that the build needs

    assert lesson.own
    made_from = lesson.course.made_from(lesson.own)
    for path, content in made.of_lesson(lesson).items():
        write_whole(path, content)
    write_whole(lesson.own.made / MADE_FROM, made_from)  # last: a build that is interrupted is repeated


if __name__ == "__main__":
    answer(build, sys.argv[1:])
