"""`nbgrader release_assignment`, with the modules, and a check of the course's language and the current lesson.

`release/` may hold another language, because the workbook's own build writes English there when the workbook is the
course. It may hold an older text, because `git pull` changes the lessons and does not generate notebooks.
"""

import shutil
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.exchange.default import ExchangeReleaseAssignment

from autograder.common.compat import course_of
from autograder.common.paths import lesson_names
from autograder.course.bundle import lay_wheel
from autograder.course.sources import RELEASED, is_lesson
from autograder.lesson.release import course_notebook
from autograder.lesson.text import Lesson
from autograder.lesson.translation import staleness


class ReleaseAssignment(ExchangeReleaseAssignment):
    """Refuses a lesson in another language than the course's; warns of stale translations and of an older text."""

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy a release; of a lesson only notebook, wheel and `files/`, also if others were put beside them."""
        super().do_copy(src, dest, log)
        if is_lesson(Path(course_of(self).root, "source", course_of(self).assignment_id)):
            for path in Path(dest).iterdir():
                if path.is_dir() and path.name != RELEASED:
                    shutil.rmtree(path)
                elif path.is_file() and path.suffix not in (".ipynb", ".whl"):
                    path.unlink()

    def init_src(self) -> None:
        """Check what is to be released, and put the modules beside it, which generating takes away."""
        super().init_src()
        name = course_of(self).assignment_id
        path = Path(self.src_path, f"{name}.ipynb")
        if name not in lesson_names() or not path.is_file():
            return
        lay_wheel(path.parent)
        there, wanted = nbformat.read(path, as_version=4), course_notebook(Lesson.load(name), self.config)
        if stale := staleness(there):
            self.log.warning(stale)
        languages = [one.metadata.get("workbook", {}).get("language", "no language of ours") for one in (there, wanted)]
        again = f"type `nbgrader generate_assignment {name}`, then release again"
        if languages[0] != languages[1]:
            self.fail(f"{path} is in {languages[0]}, and the course's language is {languages[1]}; {again}.")
        if [cell.source for cell in there.cells] != [cell.source for cell in wanted.cells]:
            self.log.warning("%s is not the lesson as it is now; to hand that out, %s.", path, again)
