"""What of a class is graded already, so that an unchanged submission costs nothing; and the course's lock.

Imports nothing heavy: a run with nothing to do ends before torch or nbgrader would be loaded.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from autograder.common.paths import MAX_BYTES, open_regular, write_whole
from autograder.examine.hashes import course_hash
from autograder.intake.folder import MAX_STAMP, is_linked
from utils.common.errors import WorkbookError

# Set by `--unsafe`, or by hand for `nbgrader autograde`: submitted code runs without a sandbox.
UNSAFE = "AUTOGRADER_UNSAFE"
# Reasons and flags by student; beside the gradebook, since nbgrader's converters work in the course's folder.
LOGS = Path(".grading", "logs")


class GradingError(WorkbookError):
    """Grading cannot go on; the sentence says what to do. What was graded stays graded."""


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

    def __init__(self, course: Path, lesson: str):
        self.course = course
        self.lesson = lesson
        self.folder = course / ".grading" / "done" / lesson
        self.owed = course / ".grading" / "owed" / lesson  # there while feedback is older than marks
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
        return sha256(f"{course_hash(self.lesson)} {gradebook} {self.mode} {content}".encode()).hexdigest()

    def is_unchanged(self, student: str, path: Path) -> bool:
        graded = self.course / "autograded" / student / self.lesson / f"{self.lesson}.ipynb"
        try:
            noted = (self.folder / student).read_text(encoding="utf-8")
        except OSError:
            return False
        log = self.course / LOGS / self.lesson / f"{student}.json"
        return graded.is_file() and log.is_file() and noted == self._fingerprint(self.content(path))

    def note(self, student: str, content: str) -> None:
        """Note that a student is graded, with the content as it was before, and that feedback is owed."""
        if not self.owed.exists():
            write_whole(self.owed, "")
        write_whole(self.folder / student, self._fingerprint(content))
