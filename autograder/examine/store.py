"""The result store, so that nothing is computed twice.

Entries are JSON files, named by a hash of everything that they depend on. An entry is written to a temporary file and
renamed, so that a kill at any moment leaves the old state or the new one, never half a file. A file that a power
failure leaves empty cannot be read, so its entry is computed again. A file's time is set whenever the entry is used;
when the store is too large, the entries unused for longest are removed first.
"""

import contextlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.common.errors import StoreError
from autograder.common.paths import ROOT, write_whole
from autograder.common.settings import STORE_FOLDER

# Bytes of all entries. Those of a submission take 0.2 MB, or 40 MB if it prints as much as it may.
MOST_BYTES = 4 * 2**30
DAY = 24 * 3600


@dataclass
class Cleaned:
    """The entries and bytes that cleaning removed, and those that are left."""

    removed: int = 0
    removed_bytes: int = 0
    left: int = 0
    left_bytes: int = 0

    def __str__(self) -> str:
        removed, left = self.removed_bytes / 2**20, self.left_bytes / 2**20
        return (
            f"Removed {self.removed} results ({removed:,.1f} MB) from the store; {self.left} are left ({left:,.1f} MB)."
        )


class ResultStore:
    """A folder of JSON files by key."""

    def __init__(self, folder: Path | None = None):
        self.folder = Path(folder or os.environ.get(STORE_FOLDER) or ROOT / ".grading" / "results")

    def _path(self, key: str) -> Path:
        return self.folder / key[:1] / f"{key}.json"

    def get(self, key: str) -> Any | None:
        """Return the entry; None if there is none, or it cannot be read."""
        path = self._path(key)
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):  # the last for brackets in brackets without end
            return None
        with contextlib.suppress(OSError):  # the store may be read-only
            os.utime(path)
        return entry

    def put(self, key: str, entry: Any) -> None:
        """Write an entry, whole or not at all. Raises: StoreError."""
        path = self._path(key)
        try:
            write_whole(path, json.dumps(entry, ensure_ascii=False), lasting=False)
        except OSError as error:
            raise StoreError(
                "The result cannot be written to {folder} ({reason}); nothing that was graded before is lost. Make "
                "room or set {variable} to another folder, then run the same command again.",
                folder=path.parent,
                reason=error.strerror,
                variable=STORE_FOLDER,
            ) from None

    def clean(self, *, most_bytes: int = MOST_BYTES, most_seconds: float = float("inf")) -> Cleaned:
        """Remove entries unused for `most_seconds`, then the least recently used ones until `most_bytes` suffice.

        Only time is lost: a removed entry is computed again when it is needed.
        """
        done, now, full = Cleaned(), time.time(), False
        for used, size, path in sorted(self._entries(), reverse=True):
            full = full or done.left_bytes + size > most_bytes
            if full or now - used > most_seconds:
                with contextlib.suppress(OSError):  # another process may have removed it
                    os.unlink(path)
                done.removed, done.removed_bytes = done.removed + 1, done.removed_bytes + size
            else:
                done.left, done.left_bytes = done.left + 1, done.left_bytes + size
        return done

    def _entries(self) -> Iterator[tuple[float, int, str]]:
        """Yield each file's time, size and path, including temporary files that killed writers left."""
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(folder, name)
                with contextlib.suppress(OSError):
                    status = os.lstat(path)
                    yield status.st_mtime, status.st_size, path
