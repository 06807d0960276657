"""The kernel's own account of a submission's memory: a control group for each session, where this process may make any.

A group (cgroup, version 2) counts what all its processes hold, files in memory and sockets too, each page once, and the
kernel lets it grow no further than a limit. Making groups must have been left to us: systemd delegates one to a command
(`systemd-run --user --scope -p Delegate=yes COMMAND`), an engine to a container that may write `/sys/fs/cgroup`. Where
nobody has, `watch.py` sums up what /proc tells of each process.

Sources: https://docs.kernel.org/admin-guide/cgroup-v2.html and https://systemd.io/CGROUP_DELEGATION/
"""

import atexit
import contextlib
import functools
import itertools
import os
import re
from pathlib import Path

from autograder.sandbox.processes import alive

MOUNTED, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
# The group that this process goes into: one with processes of its own cannot limit the groups below it.
GRADER = "workbook-grader"
SESSION = "workbook-session"
# What systemd writes beside a group that it leaves to others; the second can be read by root alone.
LEFT_TO_US = ("user.delegate", "trusted.delegate")
# Processes may be started in the group while we empty it.
ROUNDS = 5
# The kernel's limit is higher than the one that is looked at, by this part: who passes that is stopped in order.
MARGIN = 8

_numbers = itertools.count(1)
_ended: list[Path] = []  # whose last processes were not quite dead yet


@functools.cache
def delegated() -> Path | None:
    """Return the group below which this process may make groups that limit memory; None where there is none.

    This process and all that are in its group go into one below it.
    """
    try:
        found = re.search(r"^0::/(.*)$", OWN.read_text(), re.MULTILINE)
        own = MOUNTED / found[1] if found else None
        if own is None or not (own.name == GRADER or _is_left_to_us(own)):
            return None
        above = own.parent if own.name == GRADER else own
        if "memory" not in (above / "cgroup.controllers").read_text().split():
            return None
        _share_out(above)
        for left in above.glob(f"{SESSION}-*"):
            if not alive(int(left.name.split("-")[2])):
                _remove(left)
    except (OSError, ValueError):
        return None
    atexit.register(_sweep)
    return above


def _is_left_to_us(group: Path) -> bool:
    """Return whether systemd left a group to who runs in it, or it is a container's, which can be seen from its top."""
    if group == MOUNTED:
        return (group / "cgroup.type").exists()  # which the computer's own top has not
    for name in LEFT_TO_US:
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _share_out(group: Path) -> None:
    """Have a group limit the memory of those below it, one of which its processes go into. Raises: OSError."""
    below = group / GRADER
    below.mkdir(exist_ok=True)
    for more in reversed(range(ROUNDS)):
        for pid in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                (below / "cgroup.procs").write_text(pid)
        try:
            (group / "cgroup.subtree_control").write_text("+memory")
            return
        except OSError:
            if not more:
                raise


class Group:
    """The group of one session: what its processes hold in memory, and how often they were kept from more."""

    def __init__(self, folder: Path, most_bytes: int):
        self.folder = folder
        folder.mkdir()
        (folder / "memory.max").write_text(str(most_bytes + most_bytes // MARGIN))
        with contextlib.suppress(OSError):  # a kernel without swap
            (folder / "memory.swap.max").write_text("0")
        self.descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def has(self, pid: int) -> bool:
        try:
            return str(pid) in (self.folder / "cgroup.procs").read_text().split()
        except OSError:
            return False

    def bytes(self) -> int:
        """Return what its processes hold; not copies of files on disk, which the kernel drops when it needs room."""
        files = dict(re.findall(r"^(file|shmem) (\d+)$", (self.folder / "memory.stat").read_text(), re.MULTILINE))
        return int((self.folder / "memory.current").read_text()) - int(files["file"]) + int(files["shmem"])

    def overruns(self) -> int:
        """Return how often the kernel found no more room within the group's limit, and killed one of its processes."""
        counted = re.search(r"^oom (\d+)$", (self.folder / "memory.events").read_text(), re.MULTILINE)
        return int(counted[1]) if counted else 0

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
            _ended.append(self.folder)


def open_group(most_bytes: int) -> Group | None:
    """Return a group for one session, None where none can be made."""
    above = delegated()
    if above is None:
        return None
    _sweep()
    try:
        return Group(above / f"{SESSION}-{os.getpid()}-{next(_numbers)}", most_bytes)
    except OSError:
        return None


def _sweep() -> None:
    """Remove the groups of sessions that have ended."""
    _ended[:] = [folder for folder in _ended if not _remove(folder)]


def _remove(folder: Path) -> bool:
    """Remove a group, and return whether it is gone; one that still has processes stays."""
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()
