"""Where data lies on this computer: one folder per user, found by platformdirs."""

import os
from pathlib import Path

import platformdirs

from utils.common.errors import DataError

# Overrides the user's cache folder, for labs with a shared disk and for tests.
FOLDER_VARIABLE = "ATTENTION_WORKBOOK_DATA"


def data_folder(name: str) -> Path:
    """Return the folder of the data set `name`, created when missing.

    Raises: DataError when the folder cannot be made (read-only disk, no space).
    """
    base = os.environ.get(FOLDER_VARIABLE) or platformdirs.user_cache_dir("attention-workbook")
    folder = Path(base) / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"The data folder {folder} cannot be made ({error.strerror}); "
            f"set the environment variable {FOLDER_VARIABLE} to a folder that you may write to."
        ) from None
    return folder
