"""Processes of a sandbox as the kernel sees them: held by descriptors, and read from /proc.

Every reader answers for processes that are gone, too: with nothing, zero or an empty text. psutil (7.2) was tried: it
takes 7 times as long for a process' state and 6 to 20 times for its descendants, which it seeks among all processes of
the computer, and the sandbox is watched all the time.
"""

import contextlib
import os
import re
import resource
import select
import signal

# Bytes: a socket's buffer on nearly all Linux machines, and what one `send` may add to a buffer that is nearly full.
USUAL_BUFFER, ONE_PIECE = 212_992, 2**16


def _read(path: str) -> str:
    """Return a file's text; five hundred times a notebook, so without Python's buffers, which take thrice as long."""
    parts = bytearray()
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            while part := os.read(descriptor, 2**16):
                parts += part
        finally:
            os.close(descriptor)
    except OSError:
        return ""
    return parts.decode(errors="replace")


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the command's name: state is the first."""
    return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def alive(pid: int) -> bool:
    fields = _stat(pid)
    return bool(fields) and fields[0] not in "ZX"


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process and of its dead children that it has reaped."""
    return _seconds(pid, 11, 15)


def reaped_seconds(pid: int) -> float:
    """Return the processor time of the dead children that a process has reaped, and of theirs."""
    return _seconds(pid, 13, 15)


def _seconds(pid: int, first: int, end: int) -> float:
    """Add up fields of /proc/PID/stat: utime, stime, cutime and cstime are 11 to 14."""
    return sum(map(int, _stat(pid)[first:end])) / os.sysconf("SC_CLK_TCK")


def waited_seconds(pid: int | str) -> float:
    """How long the process was ready to run and had no processor: a busy machine's doing, not its own."""
    fields = _read(f"/proc/{pid}/schedstat").split()
    return int(fields[1]) / 1e9 if len(fields) > 1 else 0.0


def private_bytes(pid: int) -> int:
    """Resident memory that is no file's: private, and shared without a file, which no rlimit counts."""
    status = _read(f"/proc/{pid}/status")
    return 1024 * sum(map(int, re.findall(r"^Rss(?:Anon|Shmem):\s+(\d+) kB", status, re.MULTILINE)))


def own_data() -> int:
    """What RLIMIT_DATA counts of this process."""
    return int(_read("/proc/self/statm").split()[5]) * resource.getpagesize()


def resident_bytes(pid: int) -> int:
    """All resident memory, files' too: no less than `private_bytes`, and read in a fifth of the time."""
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * resource.getpagesize() if len(fields) > 1 else 0


def proportional_bytes(pid: int) -> int:
    """The same, where each page counts by the number of processes that have it; takes a few milliseconds."""
    status = _read(f"/proc/{pid}/smaps_rollup")
    return 1024 * sum(map(int, re.findall(r"^Pss_(?:Anon|Shmem):\s+(\d+) kB", status, re.MULTILINE)))


def socket_bytes(pid: int) -> int:
    """The most that all sockets of the process' network namespace can hold, also those on their way in another one.

    What is sent and not yet read is nobody's memory; a sender stops at the kernel's default, and one piece more.
    """
    used = re.search(r"^sockets: used (\d+)", _read(f"/proc/{pid}/net/sockstat"), re.MULTILINE)
    default = int(_read("/proc/sys/net/core/wmem_default") or USUAL_BUFFER)
    return int(used[1]) * (default + ONE_PIECE) if used else 0


def out_of_memory_kills() -> int:
    """How many processes the kernel has killed for want of memory since it was started, in all of this computer."""
    counted = re.search(r"^oom_kill (\d+)", _read("/proc/vmstat"), re.MULTILINE)
    return int(counted[1]) if counted else 0


def pid_namespace(pid: int) -> str:
    """The process' namespace of process ids, "" when it is gone."""
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except OSError:
        return ""


def children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [int(child) for task in tasks for child in _read(f"/proc/{pid}/task/{task}/children").split()]


def descendants(pid: int) -> list[int]:
    pids = []
    waiting = [pid]
    while waiting:
        born = children(waiting.pop())
        pids += born
        waiting += born
    return pids


class Process:
    """A process of a sandbox, held by a descriptor, so that its number cannot come to mean another."""

    def __init__(self, pid: int):
        self.pid = pid
        try:
            self.descriptor = os.pidfd_open(pid)
        except OSError:
            self.descriptor = -1

    def signal(self, number: int) -> None:
        if self.descriptor >= 0:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self.descriptor, number)

    def end(self) -> None:
        """Kill it and wait until it is dead, so that it can send nothing more."""
        self.signal(signal.SIGKILL)
        self.ends_within(2.0)
        self.close()

    def ends_within(self, seconds: float) -> bool:
        """Wait for it to be dead, no longer than this; return whether it is."""
        return self.descriptor < 0 or bool(select.select([self.descriptor], [], [], seconds)[0])

    def cpu_seconds(self) -> float:
        return cpu_seconds(self.pid)

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
