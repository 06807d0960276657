"""A course's own lessons on a cluster: their files travel with each notebook, and a process with them examines it.

A worker has the workbook and no course. A Python process keeps a lesson's modules once it has loaded them, so that the
worker itself cannot examine for two courses, nor for a course whose lessons have changed: for that it starts a process
with a folder that holds the lessons, and keeps it for the notebooks that come with the same files. The grader takes an
entry under a key of its own alone (`task.py`), and the key of a question is a hash of its exam: so an answer that was
found with other files is refused.
"""

import contextlib
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any

from autograder.common import parts
from autograder.common.errors import GradingError
from autograder.common.paths import OWN, ROOT, own_lessons
from autograder.common.settings import COURSE_FOLDER
from autograder.gradebook.task import Entries, examine_one

# The contents of a course's files, by LESSON/FILE.
Files = dict[str, bytes]
# Bytes of all files together, because they go with every notebook. The two lessons of `docs/lessons` have 27,000.
MOST_BYTES = 2**20


def files_for(lesson_name: str) -> Files:
    """Return the files of all lessons of this process' course, none if this lesson is the workbook's alone.

    All of them, because a lesson's modules may import another's. Raises: GradingError where they are too large.
    """
    if not parts.own_files(lesson_name):
        return {}
    files = {f"{name}/{path.name}": path.read_bytes() for name in own_lessons() for path in parts.own_files(name)}
    if (size := sum(map(len, files.values()))) > MOST_BYTES:
        raise GradingError(
            f"The files in {OWN}/ have {size:,} bytes, and go to a cluster with each notebook only up to "
            f"{MOST_BYTES:,}; move away what belongs to no lesson, or grade here, with --jobs."
        )
    return files


def examine_with(files: Files, text: str, lesson_name: str, keys: set[str], seed: int) -> Entries:
    """Examine one notebook as `task.examine_one` does, in the process that has these files; runs on a worker.

    Raises: what `examine_one` raises; OSError or EOFError where that process ended, and the next call starts another.
    """
    wanted = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
    with _lock:
        if wanted not in _running:
            for other in list(_running):
                _running.pop(other).close()
            _running[wanted] = Examiner(files)
        try:
            answer = _running[wanted].answer(text, lesson_name, keys, seed)
        except (OSError, EOFError):
            _running.pop(wanted).close()
            raise
    if isinstance(answer, BaseException):
        raise answer
    return answer


class Examiner:
    """A process that examines with a course's files, in a new folder that it removes when it ends."""

    def __init__(self, files: Files):
        folder = Path(tempfile.mkdtemp(prefix="workbook-"))
        for name, content in files.items():
            path = folder / OWN / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno()), str(folder)],
                cwd=ROOT,
                env=os.environ | {COURSE_FOLDER: str(folder)},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self.channel = Connection(ours.detach())

    def answer(self, *task: Any) -> Entries | BaseException:
        """Return the entries of one notebook, or what its examination raised. Raises: OSError, EOFError."""
        self.channel.send(task)
        found: Entries | BaseException = self.channel.recv()
        return found

    def close(self) -> None:
        """End the process, which ends when its connection is closed."""
        self.channel.close()
        self.process.wait()


_lock = Lock()
_running: dict[str, Examiner] = {}  # the last one, by the hash of its files


def serve(channel: Connection) -> None:
    """Answer each task with its entries, or with the exception that it raised, until the other end closes."""
    from autograder.course.modules import bring_up_to_date

    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            text, lesson_name, *others = channel.recv()
            answer: Entries | Exception
            try:
                bring_up_to_date(lesson_name)
                answer = examine_one(text, lesson_name, *others)
            except Exception as error:
                answer = error
            channel.send(answer)


if __name__ == "__main__":
    try:
        serve(Connection(int(sys.argv[1])))
    finally:
        shutil.rmtree(sys.argv[2], ignore_errors=True)
