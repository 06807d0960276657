"""Copies of the gradebook, the last ones and one of each day; a lost gradebook is not replaced in silence.

A copy brings the gradebook back at once; what was marked by hand since then is in the ledger, see `restore`.
"""

import os
import sqlite3
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import is_missing
from utils.common.messages import N_, Message, in_context

# The ledger of marks, see `ledger`.
LEDGER = "ledger.jsonl"

# The number of the latest copies that are kept; of the earlier ones, the last of each day.
LATEST = 5


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
    kept = copies(course)
    days = [datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).date() for path in kept]
    for number, old in enumerate(kept):
        if number >= LATEST and days[number] in days[:number]:
            old.unlink()
    return copy


def refuse_to_replace(course: Course, path: Path | None) -> None:
    """Raises: GradingError if the gradebook's file is gone or empty although there are copies of it, or a ledger.

    path: the file; None for a gradebook on a database server.
    """
    ledger = course / LEDGER
    if path is None or not is_missing(path) or not (copies(course) or (ledger.exists() and ledger.stat().st_size)):
        return
    raise GradingError(
        "The gradebook is {state}: {file}. A new one would lack due dates and everything graded by hand; to restore "
        "it, type: workbook restore. To start again, move {copies} and {ledger} away. Nothing was changed.",
        state=Message(N_("empty") if path.exists() else in_context("of a gradebook's file", "gone")),
        file=path,
        copies=folder_of(course),
        ledger=LEDGER,
    )
