"""A course's own lessons on a cluster: their files travel with each notebook, and a process with them examines it.

A worker has the workbook and no course. A Python process keeps a lesson's modules once it has loaded them, so that one
process cannot examine for two courses, nor for a course whose lessons have changed. The worker therefore starts another
process, with the lessons in a folder, and keeps this process for notebooks that come with the same files. The grader
accepts only entries under keys that it has computed itself (`task.py`), and a question's key contains a hash of its
exam: so a result that was computed with other files is refused.
"""

import contextlib
import hashlib
import shutil
import socket
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.gradebook.task import Entries, examine_one

if TYPE_CHECKING:
    from autograder.lesson.text import Lesson

# The contents of a course's files, by their paths in the course.
Files = dict[str, bytes]
# The most bytes of all files, which go with every notebook. The two lessons of `docs/course` have 27,000.
MOST_BYTES = 2**20


def files_for(lesson: "Lesson") -> Files:
    """Return the hand-written files of all lessons that a lesson's course adds; none if the lesson has no added part.

    Of all lessons, because a lesson's modules may import another's. Raises: GradingError if they are too large.
    """
    if lesson.own is None:
        return {}
    paths = [path for part in lesson.course.own.values() for path in part.files()]
    files = {str(path.relative_to(lesson.course.folder)): path.read_bytes() for path in paths}
    if (size := sum(map(len, files.values()))) > MOST_BYTES:
        raise GradingError(
            f"The files of the course's own lessons have {size:,} bytes, but at most {MOST_BYTES:,} can be sent to a "
            "cluster with each notebook; remove what belongs to no lesson, or grade here, with --jobs."
        )
    return files


def examine_with(files: Files, text: str, lesson_name: str, _: Path, keys: set[str], seed: int) -> Entries:
    """Examine one notebook as `task.examine_one` does, in a process with these files; runs on a worker.

    Raises: the errors of `examine_one`; OSError or EOFError if the process died: the next call starts another.
    """
    files_hash = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
    with _lock:
        if files_hash not in _running:
            for other in list(_running):  # only one process is kept, because each holds torch in memory
                _running.pop(other).close()
            _running[files_hash] = Examiner(files)
        try:
            answer = _running[files_hash].answer(text, lesson_name, keys, seed)
        except (OSError, EOFError):
            _running.pop(files_hash).close()
            raise
    if isinstance(answer, BaseException):
        raise answer
    return answer


class Examiner:
    """A process that examines with a course's files, in a new folder that it removes when it ends."""

    def __init__(self, files: Files):
        folder = Path(tempfile.mkdtemp(prefix="workbook-"))
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        our_end, its_end = socket.socketpair()
        with its_end:
            self.process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(its_end.fileno()), str(folder)],
                cwd=ROOT,
                pass_fds=[its_end.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self.channel = Connection(our_end.detach())

    def answer(self, *task: Any) -> Entries | BaseException:
        """Return the entries of one notebook, or the exception of their examination. Raises: OSError, EOFError."""
        self.channel.send(task)
        entries: Entries | BaseException = self.channel.recv()
        return entries

    def close(self) -> None:
        """End the process, which ends when its connection is closed."""
        self.channel.close()
        self.process.wait()


_lock = Lock()
_running: dict[str, Examiner] = {}  # at most one, by the hash of its files


def serve(channel: Connection, course: Course) -> None:
    """Answer each task with its entries, or with the exception that it raised, until the other end closes."""
    from autograder.course.own import bring_up_to_date
    from autograder.lesson.text import Lesson

    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            text, lesson_name, *others = channel.recv()
            answer: Entries | Exception
            try:
                bring_up_to_date(Lesson.load(lesson_name, course))
                answer = examine_one(text, lesson_name, course.folder, *others)
            except Exception as error:
                answer = error
            channel.send(answer)


if __name__ == "__main__":
    try:
        serve(Connection(int(sys.argv[1])), Course(Path(sys.argv[2])))
    finally:
        shutil.rmtree(sys.argv[2], ignore_errors=True)
