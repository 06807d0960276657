"""Enclosing one session: namespaces, a scratch folder, limits, no capabilities, and a system call filter."""

import ctypes
import os
import resource
import signal
import socket
from typing import Any, NoReturn

from . import filter, wire
from .compat import clone
from .operations import Announcement
from .shell import Shell
from .state import State

# Linux's numbers, from <linux/sched.h>, <linux/prctl.h> and <sys/mount.h>.
NEW_NAMESPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000  # user, mount, pid, net, ipc
MS_NOSUID, MS_NODEV, MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 1, 32, 4096, 16384, 1 << 18
PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE = 38, 4
CAPABILITY_VERSION_3 = 0x20080522
NOBODY = 65534
# The user and group of a session's processes, never root.
USER, GROUP = (os.getuid(), os.getgid()) if os.getuid() else (NOBODY, NOBODY)
SCRATCH = "/scratch"
ADDRESSES_TO_SPARE = 2**28  # bytes of addresses for stacks and arenas, which need no memory until they are used

libc = ctypes.CDLL(None, use_errno=True)


# Made before the fork, because a fork copies each page that it writes to.
INIT = wire.frame({Announcement.INIT.value: True})


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    text = os.read(descriptor, 4096)
    os.close(descriptor)
    return text


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def _check(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def leave_groups() -> None:
    """As root, leave all groups. Forked processes are not allowed to do so in their own namespaces."""
    if os.getuid() == 0:
        os.setgroups([])


def fork_apart() -> int:
    """Fork a child that is the first process of new namespaces, in which `USER` is the only user; return -1 on failure.

    Only the parent may map the child's user, so the child waits until that is done.
    """
    ready, announce = os.pipe()
    child = clone(NEW_NAMESPACES)
    if child == 0:
        os.close(announce)
        if not os.read(ready, 1):
            os._exit(1)
        os.close(ready)
        return 0
    os.close(ready)
    users = {"setgroups": "deny", "uid_map": f"{USER} {USER} 1", "gid_map": f"{GROUP} {GROUP} 1"}
    try:
        for name, text in users.items():
            _write(f"/proc/{child}/{name}", text)
        os.write(announce, b"1")
    except OSError:  # the child could not be made, or has ended
        child = -1
    finally:
        os.close(announce)
    return child


def enter(session: socket.socket, shell: Shell, limits: dict[str, Any]) -> NoReturn:
    """Enclose this process, which is in its own namespaces; drop every right; answer requests. Never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setresgid(GROUP, GROUP, GROUP)
    os.setresuid(USER, USER, USER)
    # Changing the user clears this flag; without it, our own files in /proc would belong to root.
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    # Both limits are added to what is loaded already, which is four times as much with a torch for GPUs. Addresses are
    # limited because the page tables of an endless mapping would count as nobody's memory.
    loaded, _, _, _, _, data, _ = (int(pages) * resource.getpagesize() for pages in _read("/proc/self/statm").split())
    most = limits["memory_bytes"]
    private_files(limits)
    for name, limit in limits["rlimits"].items():
        resource.setrlimit(getattr(resource, name), (limit, limit))
    resource.setrlimit(resource.RLIMIT_DATA, (data + most, data + most))
    resource.setrlimit(resource.RLIMIT_AS, (loaded + 2 * most + ADDRESSES_TO_SPARE,) * 2)
    drop_rights()
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # sessions must not share the parent's pipes
        os.dup2(nothing, descriptor)
    session.sendall(INIT)
    # The kernel protects a namespace's first process from signals without a handler; Python has one for SIGINT.
    interrupted = signal.signal(signal.SIGINT, signal.SIG_DFL)
    if os.fork():
        session.close()
        while True:  # reap orphans, forever: if this process ends, it was killed from outside
            try:
                os.wait()
            except ChildProcessError:
                signal.pause()
    signal.signal(signal.SIGINT, interrupted)
    State(session, shell).serve()


def private_files(limits: dict[str, Any]) -> None:
    """Give this sandbox a private scratch folder; make every other place read-only, and /proc empty."""
    size = f"size={limits['scratch_bytes']},nr_inodes={limits['scratch_files']},mode=0777"
    _write("/proc/sys/user/max_user_namespaces", "0")
    _check(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    _check(libc.mount(b"tmpfs", SCRATCH.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, size.encode()), "scratch")
    for folder in limits["covered"]:
        _check(libc.mount(SCRATCH.encode(), folder.encode(), None, MS_BIND, None), folder)
    for folder in limits["read_only"]:
        flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV
        _check(libc.mount(None, folder.encode(), None, flags, None), folder)
    _check(libc.mount(b"tmpfs", b"/proc", b"tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, b"size=0"), "/proc")
    os.chdir(SCRATCH)


def drop_rights() -> None:
    """Drop all capabilities for good, and forbid the system calls that lessons do not need."""
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _check(libc.capset(header, nothing), "capset")
    filter.install(libc)
