"""`nbgrader release_feedback`, for classes in which not everybody handed in by the exchange.

A student fetches feedback with a secret that `nbgrader submit` put beside the notebook. nbgrader's own command (0.9.6)
ends for the whole class at the first student without a secret, for instance one who handed in by Moodle or by mail. And
where two students have one secret, because one copied the other's folder, one page replaces the other.
"""

import glob
from collections import Counter
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from autograder.common import compat
from autograder.common.course import Course
from autograder.common.sentences import T_, joined, speak
from utils.common.messages import N_

SECRET, TIME = "submission_secret.txt", "timestamp.txt"


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases the feedback of students who can fetch it, and names the others."""

    def copy_files(self) -> None:
        """Run nbgrader's own code for each student who can fetch feedback; warn of the others."""
        without_secret, shared, released = [], [], 0
        folders = [folder for folder in sorted(map(Path, glob.glob(self.src_path))) if any(folder.glob("*.html"))]
        secrets = {folder: (folder / SECRET).read_text() for folder in folders if (folder / SECRET).is_file()}
        # Those of the whole class, also where one student's feedback is released.
        course = compat.course_of(self)
        speak(Course(Path(course.root)).language)
        everybody = course.format_path(course.feedback_directory, "*", course.assignment_id)
        count = Counter(Path(path).read_text() for path in glob.glob(f"{everybody}/{SECRET}"))
        for folder in folders:
            if folder not in secrets:
                without_secret.append(folder.parent.name)
                continue
            if count[secrets[folder]] > 1:
                shared.append(folder.parent.name)
                continue
            if not (folder / TIME).exists():  # nbgrader needs the file, and only shows its content in the log
                (folder / TIME).write_text("")
            self.src_path = glob.escape(str(folder))
            super().copy_files()
            released += 1
        if shared:
            same = N_(
                "Not released: {names} have the same secret, because one copied another's folder, so one page would "
                "replace the other; return their feedback through the platform."
            )
            self.log.warning("%s", T_(same, names=joined(map(ascii, shared[:20]))))
        if without_secret:
            names = ", ".join(map(ascii, without_secret[:20])) + (", …" if len(without_secret) > 20 else "")
            some = N_(
                "Released the feedback of {released}; {number} did not hand in through the exchange and cannot fetch "
                "theirs there: {names}. It is in {folder}: return it through the platform."
            )
            about = {"released": released, "number": len(without_secret), "names": names}
            self.log.warning("%s", T_(some, **about, folder=course.feedback_directory))
