"""A course's `source/`: the instructors' notebooks, from which nbgrader generates what it releases.

They are made from the workbook, not linked to it: a course that moves to another computer takes them along, and nothing
done in a course changes the workbook. They are made again whenever a lesson is opened, generated or graded.
"""

import contextlib

from autograder.common.errors import GradingError
from autograder.common.paths import write_whole
from autograder.course.own import bring_up_to_date
from autograder.lesson.text import Lesson, content_hash, read_instructors, write_notebook

# The one folder in `source/LESSON/` whose files are released with the notebook.
RELEASED = "files"


def write_source(lesson: Lesson) -> None:
    """Bring the course's instructor notebook up to date with the lesson's text.

    Raises: GradingError when it was edited by hand; the edit stays.
    """
    bring_up_to_date(lesson)
    folder = lesson.course.folder / "source"
    notebook = lesson.to_instructors()
    path, text = folder / lesson.name / f"{lesson.name}.ipynb", write_notebook(notebook)
    if path.is_file():
        with contextlib.suppress(OSError):  # `read_instructors` below raises it with a sentence
            if path.read_bytes() == text.encode():
                return
        there = read_instructors(path)
        if content_hash(there) == content_hash(notebook):
            return
        if lesson.lacks_edit_of(there):
            raise GradingError(
                f"{path} has been edited since it was generated. In a course, delete the file, and set points and "
                "questions in course.toml. In the workbook, take the edit over with "
                f"`python -m autograder build {lesson.name} --pull`."
            )
    write_whole(path, text)
