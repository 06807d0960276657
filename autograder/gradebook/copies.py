"""Copies of the gradebook: `grade` keeps the last good ones, and never replaces a lost gradebook in silence.

Marks given by hand, comments and due dates are in the gradebook alone; nothing else could bring them back.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from autograder.common.course import Course
from autograder.common.errors import GradingError

# The number of copies that are kept: they go back some days of a term.
MOST = 5


def folder_of(course: Course) -> Path:
    return course / ".grading" / "copies"


def copies(course: Course) -> list[Path]:
    """Return the copies, the newest first; a higher number is newer."""
    return sorted(folder_of(course).glob("gradebook-*.db"), reverse=True)


def keep_copy(course: Course) -> Path | None:
    """Copy the gradebook if it has changed since the last copy; return the copy. Raises: OSError, sqlite3.Error.

    A gradebook on a database server is not copied.
    """
    gradebook, kept = course / "gradebook.db", copies(course)
    if not gradebook.is_file() or (kept and kept[0].stat().st_mtime_ns == gradebook.stat().st_mtime_ns):
        return None
    changed = gradebook.stat().st_mtime_ns
    number = int(kept[0].stem.rpartition("-")[2]) + 1 if kept else 1
    copy = folder_of(course) / f"gradebook-{number:06}.db"
    copy.parent.mkdir(parents=True, exist_ok=True)
    part = copy.with_suffix(".part")
    # SQLite's own backup waits for a process that writes, and copies what is committed.
    with closing(sqlite3.connect(gradebook)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
    os.utime(part, ns=(changed, changed))  # the next call compares this time with the gradebook's
    part.replace(copy)
    for old in copies(course)[MOST:]:
        old.unlink()
    return copy


def refuse_to_replace(course: Course) -> None:
    """Raises: GradingError if the course's gradebook is gone although there are copies of it."""
    if (course / "gradebook.db").exists() or not (kept := copies(course)):
        return
    raise GradingError(
        f"The gradebook is gone: {course / 'gradebook.db'}. A new one would lack due dates and all that was graded by "
        f"hand. Put the last copy back: cp {kept[0]} {course / 'gradebook.db'}. To begin anew, move "
        f"{folder_of(course)} away. Nothing was changed."
    )
