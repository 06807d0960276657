"""`nbgrader collect`, made safe against anything that students write into the exchange's inbound folder.

nbgrader's own copying (0.9.6, `shutil.copytree`) follows links: a student who links to another's notebook, or to the
gradebook, makes the instructor copy it. And one folder that is too large, or whose name holds no time, ends the command
for the whole class.
"""

import os
import pwd
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns

from autograder.common.compat import course_of
from autograder.common.paths import open_regular
from autograder.intake.folder import wrong_name

# What nbgrader keeps of a folder in the exchange: its student ("username"), "filename", "timestamp".
Record = dict[str, Any]
# `nbgrader submit` (0.9.6) writes these two last, in this order.
WRITTEN_LAST = ("timestamp.txt", "submission_secret.txt")
UNFINISHED = "it is still being handed in, or was interrupted; collect again"
BLOCK = 2**20  # bytes copied at a time
MAX_FILES = 1000  # files and folders of one submission: a notebook, its secret, its time, and reserve


class Collect(ExchangeCollect):
    """Copies each student's newest submission that can be taken; reports the others, and goes on."""

    def init_src(self) -> None:
        """Choose each student's newest submission, and refuse those that cannot be taken."""
        self.refused = 0
        super().init_src()
        self.src_records = [record for record in self.src_records if self._is_good(record)]

    def _path_to_record(self, path: str) -> Record:
        """Return the facts in a folder's name; nbgrader's own method (0.9.6) raises when the name holds no time."""
        record = record_of(path, super()._path_to_record)
        if not record["wrong"] and self.check_owner and (owner := owner_of(path)) != record["username"]:
            record |= {"timestamp": datetime.min}
            record["wrong"] = (
                f"it belongs to {owner}, not to the student whose name it has (if all belong to one user, set "
                "c.ExchangeCollect.check_owner = False)"
            )
        return record

    def _is_good(self, record: Record) -> bool:
        if record["wrong"]:
            self._refuse(record["filename"], record["wrong"])
        return not record["wrong"]

    def _refuse(self, name: str, why: object) -> None:
        self.refused += 1
        self.log.error("Not collected: %.200a: %s.", name, why)

    def copy_files(self) -> None:
        """Copy the chosen submissions. Raises: ExchangeError at the end if any was refused."""
        super().copy_files()
        if self.refused:
            self.fail(f"{self.refused} submissions were not collected, see above; all others were.")

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy one submission; if that fails, refuse it and go on."""
        folders = course_of(self)
        skip = ignore_patterns(folders.ignore, folders.include, folders.max_file_size, self.log)
        try:
            for name in copy_files(Path(src), Path(dest), skip, 1000 * folders.max_dir_size):
                self.log.warning("Left out of %.200a: %.200a, a link or a device.", Path(src).name, name)
        except Exception as error:
            shutil.rmtree(dest, ignore_errors=True)
            self._refuse(Path(src).name, getattr(error, "strerror", None) or error)
        else:
            if folders.groupshared:
                for place in (Path(dest), *Path(dest).rglob("*")):
                    place.chmod(place.stat().st_mode | (0o2770 if place.is_dir() else 0o660))


def record_of(path: str, nbgraders: Callable[[str], Record]) -> Record:
    """Return a folder's student, time and name; `wrong` says why it cannot be taken.

    Such a folder counts as the oldest, so that it is refused only if the student has no other. `nbgraders` is
    nbgrader's own function that reads the name.
    """
    name = Path(path).name
    record: Record = {"username": name.partition("+")[0], "filename": name, "wrong": ""}
    try:
        record |= nbgraders(path)
    except (ValueError, OverflowError):
        record["wrong"] = "its name has no time"
    if not record["username"] or wrong_name(record["username"]):
        record["wrong"] = "its name is not a student's"
    if os.path.islink(path) or not os.path.isdir(path):
        record["wrong"] = "it is not a folder"
    elif not record["wrong"] and not is_complete(path):
        record["wrong"] = UNFINISHED
    return record | ({"timestamp": datetime.min} if record["wrong"] else {})


def is_complete(path: str) -> bool:
    """Return whether `nbgrader submit` has written a submission whole.

    A submission that is collected without its secret stays without it, because it is not collected a second time; the
    student could never fetch its feedback.
    """
    try:
        return all(os.stat(os.path.join(path, name)).st_size for name in WRITTEN_LAST)
    except OSError:
        return False


def owner_of(path: str) -> str:
    """Return the name of the user whose folder this is."""
    number = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


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
            raise ValueError(f"it contains more than {MAX_FILES} files and folders")
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
                        raise ValueError("it is too large, see CourseDirectory.max_dir_size")
                    copy.write(block)
    return odd
