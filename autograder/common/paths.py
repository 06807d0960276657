"""Where files are; opening them safely, and writing them whole or not at all. Imports nothing heavy."""

import contextlib
import errno
import functools
import io
import os
import stat
import threading
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from autograder.common.errors import CourseError

ROOT = Path(__file__).parents[2]
# A folder with this file, nbgrader's configuration, is a course.
CONFIG_NAME = "nbgrader_config.py"
# nbgrader's `db_url` begins with this if the gradebook is a file.
SQLITE = "sqlite:///"
# A larger submission is refused. An honest notebook without outputs has about 100 kB, with pictures a few megabytes.
MAX_BYTES = 50 * 2**20


def course_above(folder: Path) -> Path:
    """Return the course that contains a folder: the folder, or the nearest above it, with a configuration.

    Raises: CourseError.
    """
    for course in (folder, *folder.parents):
        if (course / CONFIG_NAME).is_file():
            return course
    raise CourseError(
        "There is no course in {folder} or above it; go to a course's folder, name one with --course, or make one: "
        "`python -m autograder new DIR --name NAME`.",
        folder=folder,
    )


def gradebook_file(url: str) -> Path | None:
    """Return the file of a gradebook; None for a gradebook on a database server."""
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def is_missing(gradebook: Path) -> bool:
    """Return whether a gradebook's file is missing or empty: SQLite makes an empty file for who only looks for one."""
    return not gradebook.exists() or not gradebook.stat().st_size


def open_regular(path: Path | str, folder: int | None = None) -> BinaryIO:
    """Open a regular file for reading, without following a link or waiting on a pipe. Raises: OSError.

    `folder` is the descriptor of an open folder; `path` is then a name in that folder.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return os.fdopen(descriptor, "rb")


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by name, in the order of their names; the same files give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name)  # dated 1980, as zip's time begins
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def write_whole(path: Path, content: str | bytes, *, lasting: bool = True, private: bool = False) -> None:
    """Write a file so that at every moment, and after a crash, the file has either its old or its new content, whole.

    Without `lasting`, the call does not wait for the disk: if the whole computer crashes, the file may be empty. No
    other account can ever read a `private` file.
    Raises: OSError, with the old file as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The draft's name does not contain the file's, because a student's name may be as long as a file's name can be. It
    # contains the thread's id, because threads of the marking server write several files of one folder at once.
    part = path.with_name(f".{os.getpid()}.{threading.get_native_id()}.part")
    try:
        with open(part, "wb", opener=functools.partial(os.open, mode=0o600 if private else 0o666)) as file:
            file.write(content.encode() if isinstance(content, str) else content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
