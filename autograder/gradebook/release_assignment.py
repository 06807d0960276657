"""`nbgrader release_assignment` with the students' wheel, checked for the course's language and today's lesson.

`release/` may have another language: if the workbook is the course, its own build writes English there. It may have an
older text, because `git pull` changes the lessons and does not generate notebooks.
"""

import shutil
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.exchange.default import ExchangeReleaseAssignment

from autograder.common.compat import course_of
from autograder.common.course import Course
from autograder.common.sentences import T_
from autograder.course.bundle import lay_wheel
from autograder.course.sources import RELEASED
from autograder.lesson.release import course_notebook
from autograder.lesson.text import Lesson
from autograder.lesson.translation import staleness
from utils.common.messages import N_


class ReleaseAssignment(ExchangeReleaseAssignment):
    """Refuses a lesson in another language than the course's, or for older modules; warns of an older text."""

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy a release; of a lesson, nothing but the notebook, the wheel and `files/`."""
        super().do_copy(src, dest, log)
        course = Course(Path(course_of(self).root))
        if course.is_lesson(course.source_of(course_of(self).assignment_id)):
            for path in Path(dest).iterdir():
                if path.is_dir() and path.name != RELEASED:
                    shutil.rmtree(path)
                elif path.is_file() and path.suffix not in (".ipynb", ".whl"):
                    path.unlink()

    def init_src(self) -> None:
        """Check the notebook to be released, and put the wheel beside it: `generate_assignment` deletes it."""
        super().init_src()
        course, name = Course(Path(course_of(self).root)), course_of(self).assignment_id
        path = Path(self.src_path, f"{name}.ipynb")
        if name not in course.lessons or not path.is_file():
            return
        released, current = nbformat.read(path, as_version=4), course_notebook(Lesson.load(name, course), self.config)
        if stale := staleness(released):
            self.log.warning(stale)
        metadata = [notebook.metadata.get("workbook", {}) for notebook in (released, current)]
        languages = [entry.get("language", T_("an unknown language")) for entry in metadata]
        again = T_("type `nbgrader generate_assignment {lesson}`, then release again", lesson=name)
        about = {"file": path, "again": again}
        if languages[0] != languages[1]:
            other = N_("{file} is in {there}, and the course's language is {here}; {again}.")
            self.fail(T_(other, there=languages[0], here=languages[1], **about))
        if not lay_wheel(course, name):  # the modules of the released notebook's version no longer exist
            self.fail(T_("The modules have changed since {file} was generated; {again}.", **about))
        if [cell.source for cell in released.cells] != [cell.source for cell in current.cells]:
            self.log.warning("%s", T_("{file} is not the lesson as it is now; to hand that out, {again}.", **about))
