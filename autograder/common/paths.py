"""Where files lie, and writing them whole. Imports nothing heavy: a command with nothing to do ends at once."""

import contextlib
import errno
import os
import stat
import threading
from pathlib import Path
from typing import BinaryIO

from autograder.common.errors import CourseError

ROOT = Path(__file__).parents[2]
# A folder with this file, nbgrader's configuration, is a course.
CONFIG_NAME = "nbgrader_config.py"
# What nbgrader's `db_url` begins with when the gradebook is a file.
SQLITE = "sqlite:///"
# The largest submitted file. An honest notebook without outputs has about 100 kB; pictures make it a few megabytes.
MAX_BYTES = 50 * 2**20


def course_above(folder: Path) -> Path:
    """Return the course that a folder lies in: the nearest with a configuration. Raises: CourseError."""
    for course in (folder, *folder.parents):
        if (course / CONFIG_NAME).is_file():
            return course
    raise CourseError(
        f"There is no course in {folder} or above it; go to a course's folder, name one with --course, or make one: "
        "`python -m autograder new DIR --name NAME`."
    )


def gradebook_file(url: str) -> Path | None:
    """Return the file of a gradebook; None when a database server keeps it."""
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def open_regular(path: Path | str, folder: int | None = None) -> BinaryIO:
    """Open a regular file for reading, without following a link or waiting on a pipe. Raises: OSError.

    `folder` is the descriptor of an open folder; `path` is then a name in that folder.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return os.fdopen(descriptor, "rb")


def write_whole(path: Path, content: str | bytes, *, lasting: bool = True) -> None:
    """Write a file so that at every moment, and after a crash, either the old or the new content is there, whole.

    Without `lasting`, the call does not wait for the disk: if the whole computer crashes, the file may be empty.
    Raises: OSError, with the old file as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The draft's name is short, because a student's name may be as long as file names can be. It names the thread as
    # well: the marking server writes two files of one folder in two threads at once.
    part = path.with_name(f".{os.getpid()}.{threading.get_native_id()}.part")
    try:
        with part.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
