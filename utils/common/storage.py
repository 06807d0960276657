"""The folder for data on this computer: one per user, in the system's folder for caches."""

import os
import sys
from pathlib import Path

from utils.common.errors import DataError
from utils.common.messages import N_

# This environment variable replaces the user's cache folder, for labs with a shared disk and for tests.
FOLDER_VARIABLE = "ATTENTION_WORKBOOK_DATA"


def data_folder(name: str) -> Path:
    """Return the folder of the data set `name`; it is created if missing.

    Raises: DataError when the folder cannot be created (read-only disk, no space).
    """
    base = os.environ.get(FOLDER_VARIABLE) or _cache_folder()
    folder = Path(base) / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            N_(
                "The data folder {folder} cannot be made ({error}); set the environment variable {variable} to a "
                "folder that you may write to."
            ),
            folder=str(folder),
            error=str(error.strerror),
            variable=FOLDER_VARIABLE,
        ) from None
    return folder


def _cache_folder() -> Path:
    """Return our folder in the user's cache folder (on Linux: https://specifications.freedesktop.org/basedir)."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(
            os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local",
            "attention-workbook",
            "attention-workbook",
            "Cache",
        )
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "attention-workbook"
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else home / ".cache") / "attention-workbook"
