"""A control group for each session's memory, where this process may make control groups.

The kernel counts the memory of all processes in a group (cgroup, version 2), with files in memory and sockets, each
page once, and enforces a limit. The grader may make groups if one was delegated to it: systemd delegates one to a
command (`systemd-run --user --scope -p Delegate=yes COMMAND`), a container engine to a container that may write
`/sys/fs/cgroup`. Without delegation, `watch.py` sums up the memory that /proc reports for each process.

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
# The group into which this process moves, because a group that contains processes cannot limit its subgroups.
GRADER = "workbook-grader"
SESSION = "workbook-session"
# Extended attributes by which systemd marks a delegated group; only root can read the second.
LEFT_TO_US = ("user.delegate", "trusted.delegate")
# How often to try to empty a group, because other processes may be started in it meanwhile.
ROUNDS = 5
# The kernel's limit is an eighth (1 / MARGIN) higher than the limit that `watch.py` enforces, which stops code in
# order.
MARGIN = 8

_numbers = itertools.count(1)
_ended: list[Path] = []  # groups whose last processes may still be dying


@functools.cache
def delegated() -> Path | None:
    """Return the group below which this process may make groups that limit memory; None if there is none.

    All processes of that group, this one included, move into a subgroup.
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
    """Return whether a group is delegated: marked so by systemd, or the topmost one that a container sees."""
    if group == MOUNTED:
        return (group / "cgroup.type").exists()  # the computer's own topmost group has no such file
    for name in LEFT_TO_US:
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _share_out(group: Path) -> None:
    """Let a group limit the memory of its subgroups, after moving its processes into one of them. Raises: OSError."""
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
    """The control group of one session: the memory of its processes, and how often they ran into the limit."""

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
        """Return the memory of its processes, without cached files, which the kernel drops when it needs memory."""
        files = dict(re.findall(r"^(file|shmem) (\d+)$", (self.folder / "memory.stat").read_text(), re.MULTILINE))
        return int((self.folder / "memory.current").read_text()) - int(files["file"]) + int(files["shmem"])

    def overruns(self) -> int:
        """Return how often the kernel killed one of the group's processes because the group was at its limit."""
        counted = re.search(r"^oom (\d+)$", (self.folder / "memory.events").read_text(), re.MULTILINE)
        return int(counted[1]) if counted else 0

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
            _ended.append(self.folder)


def open_group(most_bytes: int) -> Group | None:
    """Return a new group for one session; None if none can be made."""
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
    """Remove a group unless it still has processes; return whether it is gone."""
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()
