"""`nbgrader export` in a course: nbgrader's own table, with a warning where it differs from the course's list."""

from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin

from autograder.common.course import Course
from autograder.intake.roster import excused


class Export(CsvExportPlugin):
    """nbgrader's table as CSV; it has 0 for all students who did not hand in, so a warning names the excused ones."""

    def export(self, gradebook: Gradebook) -> None:
        super().export(gradebook)
        app: Any = self.parent
        course = Course(Path(app.coursedir.root))
        for name in [str(assignment.name) for assignment in gradebook.assignments]:
            if excused_students := sorted(excused(course, name)):
                self.log.warning(
                    "This table, which is nbgrader's own, has marks for students who are excused from %s: "
                    "%s. `workbook export %s` leaves these out.",
                    name,
                    ", ".join(excused_students),
                    name,
                )
