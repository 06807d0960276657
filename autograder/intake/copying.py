"""Copies a folder that a student wrote: its files alone, of bounded size, through no link."""

import os
from collections.abc import Callable
from pathlib import Path

from autograder.common.paths import open_regular
from autograder.common.sentences import T_

BLOCK = 2**20  # bytes copied at a time
MAX_FILES = 1000  # files and folders of one submission: a notebook, its secret, its time, and reserve


def copy_files(source: Path, target: Path, skip: Callable[[str, list[str]], list[str]], most: int) -> list[str]:
    """Copy a folder's files, at most `most` bytes; return the names of links and devices, which are left out.

    Each folder is opened once, and its files by name within the open folder: a student who replaces a file or folder by
    a link meanwhile gains nothing. `skip` returns the names that the course ignores. Raises: OSError, ValueError.
    """
    odd: list[str] = []
    target.mkdir(parents=True)
    left = MAX_FILES
    for place, folders, names, descriptor in os.fwalk(source, follow_symlinks=False):
        left -= len(folders) + len(names)
        if left < 0:
            raise ValueError(T_("it contains more than {number} files and folders", number=MAX_FILES))
        skipped = skip(place, folders + names)
        odd += [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = [name for name in folders if name not in skipped and name not in odd]
        here = target / os.path.relpath(place, source)
        here.mkdir(exist_ok=True)
        for name in set(names) - set(skipped):
            try:
                file = open_regular(name, descriptor)
            except OSError:
                odd.append(name)
                continue
            with file, open(here / name, "xb") as copy:
                while block := file.read(BLOCK):
                    most -= len(block)
                    if most < 0:
                        raise ValueError(T_("it is too large, see CourseDirectory.max_dir_size"))
                    copy.write(block)
    return odd
