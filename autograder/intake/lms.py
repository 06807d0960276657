"""Collects archives of learning platforms: `nbgrader zip_collect LESSON`, made safe.

`SafeExtractor` unpacks the files in `downloaded/LESSON/archive/`; `LmsCollector` tells nbgrader which student each
notebook belongs to, and when it was handed in.
"""

import os
import shutil
from datetime import datetime, timezone
from pathlib import Path
from typing import cast

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.plugins import FileNameCollectorPlugin
from traitlets import Bool, Unicode

from autograder.common.compat import course_of
from autograder.common.course import Course
from autograder.common.course_file import CourseFile
from autograder.common.errors import CourseError
from autograder.common.paths import MAX_BYTES, open_regular
from autograder.common.times import zone_of
from autograder.intake.extractor import SafeExtractor
from autograder.intake.folder import submitted_at
from autograder.intake.places import Place, note_places

__all__ = ["LmsCollector", "SafeExtractor", "put_aside"]


class LmsCollector(FileNameCollectorPlugin):
    """Tells nbgrader which student an extracted notebook belongs to; leaves out what would make nbgrader stop."""

    timezone = Unicode("", help="The time zone of the platform's times; else the one in course.toml.").tag(config=True)

    keep_newer = Bool(False, help="Whether a submission newer than the archive's stays.").tag(config=True)

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the student, the notebook's id and the time, as nbgrader wants them; None to leave the file out."""
        app = cast(ZipCollectApp, self.parent)
        course = course_of(app)
        lesson_name = course.assignment_id
        extractor = cast(SafeExtractor, app.extractor_plugin_inst)
        place = Path(submitted_file)
        notebook = extractor.notebook_at(place)
        if notebook is None:  # a file of an earlier run
            return None
        # An earlier run may have collected it under the platform's id, when students.csv did not know this account.
        if notebook.account != notebook.student and notebook.account not in extractor.roster.rows:
            put_aside(Course(Path(course.root)), notebook.account, lesson_name)
        old = course.format_path(course.submitted_directory, notebook.student, lesson_name)
        if not app.force and os.path.isdir(old) and os.listdir(old):
            self.log.warning("Refused %r: %s has a submission; --force replaces it.", place.name, notebook.student)
            return None
        time = extractor.time_of(notebook)
        stamp = {"timestamp": self._utc(time)} if time else _kept_time(place, Path(old))
        if self.keep_newer and _is_older(stamp.get("timestamp"), Path(old)):
            return None
        if notebook.platform:
            places = {notebook.student: Place(notebook.platform, notebook.place, notebook.group)}
            note_places(Course(Path(course.root)), lesson_name, places)
        return {"student_id": notebook.student, "file_id": lesson_name} | stamp

    def _utc(self, time: str) -> str:
        app = cast(ZipCollectApp, self.parent)
        try:
            zone = zone_of(self.timezone or CourseFile.of(Path(course_of(app).root)).timezone)
        except CourseError as error:
            app.fail(str(error))
        there = datetime.fromisoformat(time).replace(tzinfo=zone)
        return str(there.astimezone(timezone.utc).replace(tzinfo=None))


def _kept_time(notebook: Path, there: Path) -> dict[str, str]:
    """Return the time that the instructor has written beside the same notebook, collected before."""
    known, _ = submitted_at(there)
    try:
        with open_regular(notebook) as new, open_regular(there / f"{there.name}.ipynb") as old:
            same = new.read(MAX_BYTES) == old.read(MAX_BYTES)
    except OSError:
        return {}
    return {"timestamp": str(known)} if known and same else {}


def _is_older(stamp: str | None, there: Path) -> bool:
    """Return whether a time (UTC) is certainly before that of the submission in a folder."""
    known, _ = submitted_at(there)
    return bool(stamp and known and datetime.fromisoformat(stamp) < known)


def put_aside(course: Course, account: str, lesson_name: str) -> None:
    """Move a submission that an earlier run collected under a platform's account, now that the student is known.

    The submission and what was made from it go into `.grading/aside`; the archive still holds the original.
    """
    for stage in ("submitted", "autograded", "feedback"):
        there = course / stage / account / lesson_name
        if there.is_dir():
            kept = course / ".grading" / "aside" / stage / account / lesson_name
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            there.rename(kept)
            if not any(there.parent.iterdir()):
                there.parent.rmdir()
