"""Notes of graded submissions, so that an unchanged submission is not graded again; and the course's lock.

Imports nothing heavy, so that a run with nothing to do ends before torch and nbgrader are loaded.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TextIO

from autograder.common import course_file
from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import CONFIG_NAME, MAX_BYTES, ROOT, open_regular, write_whole
from autograder.examine.hashes import course_hash
from autograder.gradebook.log import log_path
from autograder.intake.folder import MAX_STAMP, is_linked
from autograder.intake.roster import not_asked

# Courses whose lock this process holds.
_held: set[Path] = set()


# What a process that holds the lock for moments writes into its file, and how long others wait for it, in seconds.
BRIEF, LONGEST_WAIT = "brief", 60.0


class AnotherGrading(GradingError):
    """Another process holds the course's lock."""


@contextlib.contextmanager
def only_one(course: Course, *, brief: bool = False) -> Iterator[None]:
    """Hold the course's lock, because SQLite allows one writer. Raises: GradingError when another grading runs.

    brief: for moments, as `workbook watch` does; others wait for such a holder, and it waits for others.
    """
    path = course / ".grading" / "lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("a+")
    except OSError as error:
        raise GradingError(
            "The folder {folder} cannot be written ({reason}); make room there or make it writable, then run the same "
            "command again. Nothing was changed.",
            folder=path.parent,
            reason=error.strerror,
        ) from None
    with lock:
        try:
            with path.with_name("queue").open("w") as queue:
                _acquire(lock, queue, brief)
            lock.truncate(0)
            lock.write(BRIEF * brief)
            lock.flush()
        except BlockingIOError:
            raise AnotherGrading(
                "Another grading of this course is running; wait for it, then run this again."
            ) from None
        except OSError as error:
            raise GradingError(
                "{file} cannot be locked ({reason}); keep the course on a local disk.", file=path, reason=error.strerror
            ) from None
        _held.add(course.folder)
        try:
            yield
        finally:
            _held.remove(course.folder)


def _acquire(lock: TextIO, queue: TextIO, brief: bool) -> None:
    """Lock an open file; wait if its holder, or this process, is brief. Raises: BlockingIOError, OSError.

    Another command that waits holds `queue`, and goes before a process that takes the lock again and again.
    """
    end = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            if brief:
                fcntl.flock(queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
                fcntl.flock(queue, fcntl.LOCK_UN)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            if time.monotonic() > end or not (brief or lock.read() == BRIEF):
                raise
            if not brief:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
            time.sleep(0.05)
        else:
            return


def holds(course: Course) -> bool:
    """Return whether this process holds the course's lock, as when our commands run nbgrader's."""
    return course.folder in _held


class Done:
    """The notes of a lesson's graded submissions: one small file for each student, in the folder `.grading`."""

    def __init__(self, course: Course, lesson_name: str):
        self.course = course
        self.lesson_name = lesson_name
        self.folder = course / ".grading" / "done" / lesson_name
        self.owed = course / ".grading" / "owed" / lesson_name  # exists while feedback is older than marks

    def feedback_is_from(self, student: str, marks_hash: str) -> bool:
        """Return whether a student's feedback was made from these marks, this answer and this version of our code."""
        page = self.course / "feedback" / student / self.lesson_name / f"{self.lesson_name}.html"
        try:
            noted = self._feedback_note(student).read_text(encoding="utf-8")
            return page.is_file() and noted == self._feedback_hash(student, marks_hash)
        except OSError:
            return False

    def note_feedback(self, student: str, marks_hash: str) -> None:
        """Note the marks, the answer and the code from which a student's feedback was made."""
        write_whole(self._feedback_note(student), self._feedback_hash(student, marks_hash))

    def _feedback_note(self, student: str) -> Path:
        return self.course / ".grading" / "feedback" / self.lesson_name / student

    def graded(self, student: str) -> Path:
        """Return the path of a student's graded notebook."""
        return self.course / "autograded" / student / self.lesson_name / f"{self.lesson_name}.ipynb"

    def _feedback_hash(self, student: str, marks_hash: str) -> str:
        """Return a hash of everything from which a student's feedback is made."""
        content = self.content(self.graded(student))
        return sha256(f"{course_hash(self.lesson_name, self.course)} {marks_hash} {content}".encode()).hexdigest()

    # ---- a hash of the gradebook, the settings and the lists of students at the end of the last run ----

    def is_settled(self) -> bool:
        """Return whether gradebook, settings and lists of students are unchanged since the end of the last run.

        Always False for a gradebook that is not the file in the course's folder, because its changes are not noticed.
        """
        try:
            return (self.course / "gradebook.db").is_file() and self._settled.read_text() == self._files_hash()
        except OSError:
            return False

    def settle(self, in_course: bool) -> None:
        """Note that everything is up to date; `in_course`: the gradebook is the file in the course's folder."""
        if in_course:
            write_whole(self._settled, self._files_hash())
        else:
            self._settled.unlink(missing_ok=True)

    @property
    def _settled(self) -> Path:
        return self.course / ".grading" / "settled" / self.lesson_name

    def _files_hash(self) -> str:
        status = (self.course / "gradebook.db").stat()
        digest = sha256(f"{status.st_ino} {status.st_mtime_ns} {status.st_size}".encode())
        lists = (CONFIG_NAME, course_file.NAME, "students.csv", "extensions.csv", "regrades.csv")
        for path in (ROOT / CONFIG_NAME, *(self.course / name for name in lists)):
            with contextlib.suppress(OSError):
                digest.update(str(path).encode() + path.read_bytes())
        return digest.hexdigest()

    def content(self, path: Path) -> str:
        """Return a hash of a submitted notebook and its time; a file that may not be read counts as empty."""
        digest = sha256()
        for part, most in ((path.with_name("timestamp.txt"), MAX_STAMP), (path, MAX_BYTES)):
            with contextlib.suppress(OSError), open_regular(part) as file:
                digest.update(b"" if is_linked(path) else file.read(most + 1))
        return digest.hexdigest()

    def _grading_hash(self, student: str, content: str) -> str:
        """Return a hash of everything on which a student's marks depend; `content` is the submission's hash."""
        # The inode changes if the gradebook is replaced by a copy, which may lack this student's mark.
        try:
            gradebook = os.stat(self.course / "gradebook.db").st_ino
        except OSError:
            gradebook = 0
        settings = self.course.settings.of_lesson(self.lesson_name)
        adapted = f"{settings.without} {sorted(settings.points.items())}" if settings.without or settings.points else ""
        adapted += f" order {most}" if (most := self.course.settings.order) else ""
        if unasked := not_asked(self.course, self.lesson_name, student):
            adapted += f"{sorted(unasked)}"
        code = course_hash(self.lesson_name, self.course)
        return sha256(f"{code} {gradebook} {content}{adapted}".encode()).hexdigest()

    def basis(self, path: Path) -> str:
        """Return a hash of everything on which the points of a notebook depend, at STUDENT/LESSON/LESSON.ipynb."""
        return self._grading_hash(path.parent.parent.name, self.content(path))

    def is_unchanged(self, student: str, path: Path) -> bool:
        """Return whether a student's notebook and all that its marks depend on are as they were at the grading."""
        try:
            noted = (self.folder / student).read_text(encoding="utf-8")
        except OSError:
            return False
        log = log_path(self.course, self.lesson_name, student)
        return self.graded(student).is_file() and log.is_file() and noted == self.basis(path)

    def note(self, student: str, content: str) -> None:
        """Note that a student is graded, and that feedback is owed; `content` was computed before the grading."""
        if not self.owed.exists():
            write_whole(self.owed, "")
        write_whole(self.folder / student, self._grading_hash(student, content))
