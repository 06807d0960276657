"""What of a class is graded already, so that an unchanged submission costs nothing; and the course's lock.

Imports nothing heavy: a run with nothing to do ends before torch or nbgrader would be loaded.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from autograder.common.errors import GradingError
from autograder.common.paths import MAX_BYTES, open_regular, write_whole
from autograder.common.settings import UNSAFE
from autograder.examine.hashes import course_hash
from autograder.gradebook.log import log_path
from autograder.intake.folder import MAX_STAMP, is_linked


@contextlib.contextmanager
def only_one(course: Path) -> Iterator[None]:
    """Hold the course's lock: SQLite bears one writer. Raises: GradingError when another grading runs."""
    path = course / ".grading" / "lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("w")
    except OSError as error:
        raise GradingError(
            f"The folder {path.parent} cannot be written ({error.strerror}); make room there or make it writable, then "
            "run the same command again. Nothing was changed."
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise GradingError("Another grading of this course is running; wait for it, then run this again.") from None
        except OSError as error:
            raise GradingError(
                f"{path} cannot be locked ({error.strerror}); keep the course on a local disk."
            ) from None
        yield


class Done:
    """What has been graded, so that an unchanged submission costs nothing: one small file per student."""

    def __init__(self, course: Path, lesson_name: str):
        self.course = course
        self.lesson_name = lesson_name
        self.folder = course / ".grading" / "done" / lesson_name
        self.owed = course / ".grading" / "owed" / lesson_name  # there while feedback is older than marks
        self.mode = os.environ.get(UNSAFE, "")

    def content(self, path: Path) -> str:
        """Return a hash of a notebook and its time, as far as they are read."""
        found = sha256()
        for part, most in ((path.with_name("timestamp.txt"), MAX_STAMP), (path, MAX_BYTES)):
            with contextlib.suppress(OSError), open_regular(part) as file:
                found.update(b"" if is_linked(path) else file.read(most + 1))
        return found.hexdigest()

    def _fingerprint(self, content: str) -> str:
        try:
            gradebook = os.stat(self.course / "gradebook.db").st_ino
        except OSError:
            gradebook = 0
        return sha256(f"{course_hash(self.lesson_name)} {gradebook} {self.mode} {content}".encode()).hexdigest()

    def is_unchanged(self, student: str, path: Path) -> bool:
        """Return whether a student's notebook, and all that marks depend on, are as they were when it was graded."""
        graded = self.course / "autograded" / student / self.lesson_name / f"{self.lesson_name}.ipynb"
        try:
            noted = (self.folder / student).read_text(encoding="utf-8")
        except OSError:
            return False
        log = log_path(self.course, self.lesson_name, student)
        return graded.is_file() and log.is_file() and noted == self._fingerprint(self.content(path))

    def note(self, student: str, content: str) -> None:
        """Note that a student is graded, with the content as it was before, and that feedback is owed."""
        if not self.owed.exists():
            write_whole(self.owed, "")
        write_whole(self.folder / student, self._fingerprint(content))
