"""The result store: what was computed once is not computed again.

Entries are JSON files named by the hash of everything they depend on, written beside their place and
renamed into it, so that a kill at any moment leaves the old state or the new one, never half a file.
"""

import json
import os
from pathlib import Path
from typing import Any

from autograder.common.errors import StoreError
from autograder.common.paths import ROOT, write_whole
from autograder.common.settings import STORE_FOLDER


class Store:
    """A folder of JSON files by key."""

    def __init__(self, folder: Path | None = None):
        self.folder = Path(folder or os.environ.get(STORE_FOLDER) or ROOT / ".grading" / "results")

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> Any | None:
        """Return the entry, or None where there is none that can be read."""
        try:
            return json.loads(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def put(self, key: str, entry: Any) -> None:
        """Write an entry, whole or not at all. Raises: StoreError."""
        path = self._path(key)
        try:
            write_whole(path, json.dumps(entry, ensure_ascii=False))
        except OSError as error:
            raise StoreError(
                f"The result cannot be written to {path.parent} ({error.strerror}); nothing that was graded before "
                f"is lost. Make room or set {STORE_FOLDER} to another folder, then run the same command again."
            ) from None
