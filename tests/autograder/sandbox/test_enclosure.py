"""What of the sandbox is shut: the course is out of sight, scratch alone can be written, rights and calls denied."""

import ctypes
import ctypes.util
import os
import platform
import struct
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK
from autograder.sandbox.inside import enclosure, filter
from autograder.sandbox.parent import Sandbox
from tests.helpers.sessions import LIMITS, printed


def test_scratch_is_ones_own(sandbox):
    folders = "('/tmp', '/scratch', '/dev/shm')"
    write = f"""
for folder in {folders}:
    try:
        open(folder + '/mine', 'w').write('1')
    except OSError:
        pass
"""
    look = f"import os\nprint([folder for folder in {folders} if 'mine' in os.listdir(folder)])"
    with sandbox.session() as one:
        one.run_cell(write, "cell")
        assert "/scratch" in printed(one, look)
        with sandbox.session() as two:
            assert printed(two, look) == "[]\n"


def test_neither_course_nor_processes_are_in_sight(session):
    course = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    source = (
        f"import os\nprint(os.path.exists({course!r} + '/source'), os.listdir('/proc'), os.path.exists('/etc/passwd'))"
    )
    assert printed(session, source) == "False [] False\n"
    assert "CANARY" not in printed(session, "import os\nprint(os.environ)")


def test_the_graders_environment_is_not_passed_on(monkeypatch):
    monkeypatch.setenv("CANARY", "secret")
    with Sandbox(WORKBOOK, LIMITS) as sandbox, sandbox.session() as session:
        assert "CANARY" not in printed(session, "import os\nprint(os.environ)")


def test_only_scratch_can_be_written(session):
    source = """
import os
written = []
for folder, folders, _ in os.walk("/"):
    known = ("/scratch", "/tmp", "/dev/shm", "/usr")
    folders[:] = [name for name in folders if os.path.join(folder, name) not in known]
    if folder.count("/") > 4:
        folders.clear()
    try:
        open(os.path.join(folder, "mine"), "w").close()
        written.append(folder)
    except OSError:
        pass
print(written)
"""
    assert printed(session, source) == "[]\n"


def test_rights_are_gone(session):
    source = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print([libc.unshare(0x10000000), libc.mount(b"proc", b"/proc", b"proc", 0, None), libc.setuid(0), libc.chroot(b"/")])
"""
    assert printed(session, source) == "[-1, -1, -1, -1]\n"


def test_nobody_runs_in_there_without_a_group_or_a_right(session):
    """As the kernel tells it outside, of the sandbox' first process and of the student's."""
    before, current = session.states.init.pid, session.states.current.pid
    for pid in (before, current):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        told = {name: text.split() for name, _, text in (line.partition(":") for line in lines)}
        user = os.getuid() or enclosure.NOBODY
        assert told["Uid"] == [str(user)] * 4 and told["Gid"] == [str(os.getgid() or enclosure.NOBODY)] * 4
        assert not told["Groups"] or os.getuid()
        assert {int(told[name][0], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
        assert (told["NoNewPrivs"], told["Seccomp"]) == (["1"], ["2"])
        assert told["NSpid"][-1] == ("1" if pid == before else "2")
        apart = {kind: os.readlink(f"/proc/{pid}/ns/{kind}") for kind in ("user", "mnt", "pid", "net", "ipc")}
        assert all(os.readlink(f"/proc/self/ns/{kind}") != name for kind, name in apart.items())


def test_what_cannot_stand_apart_is_not_opened(monkeypatch):
    """Whether there is no child, or its parent cannot say who it is: nothing of it goes on."""
    monkeypatch.setattr(enclosure, "clone", lambda flags: -1)
    assert enclosure.fork_apart() == -1
    monkeypatch.undo()

    def refuse(path, text):
        raise PermissionError(path)

    children = []
    monkeypatch.setattr(enclosure, "_write", refuse)
    monkeypatch.setattr(enclosure, "clone", lambda flags: children.append(os.fork()) or children[-1])
    assert enclosure.fork_apart() == -1
    assert os.waitpid(children[0], 0)[1] == 1 << 8  # it has ended itself


def test_denied_calls_fail_and_others_work(session):
    source = """
import ctypes, os, socket
def tried(call):
    try:
        call()
        return True
    except OSError:
        return False
print(tried(lambda: os.memfd_create("x")), tried(lambda: socket.socket(40)), tried(lambda: socket.socket(2)))
"""
    assert printed(session, source) == "False False True\n"


def test_every_denied_call_is_denied_inside(session):
    """With arguments that none of them could use, so that a call which is let through says something else, or EPERM by
    itself; which calls the filter lets through is the next test's matter."""
    numbers = [both[platform.machine() == "aarch64"] for both in filter.DENIED.values()]
    source = f"""
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for number in {[number for number in numbers if number]}:
    assert libc.syscall(number, -1, -1, -1, -1, -1, -1) == -1 and ctypes.get_errno() == errno.EPERM, number
print("all")
"""
    assert printed(session, source) == "all\n"


def filtered(lines: list[tuple[int, int, int, int]], audit: int, number: int, *arguments: int) -> int:
    """What the kernel does with a filter: its verdict on a system call. From linux/filter.h and linux/seccomp.h."""
    data = struct.pack("<iIQ6Q", number, audit, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    at, loaded = 0, 0
    while True:
        code, if_true, if_not, value = lines[at]
        if code == 0x06:
            return value
        if code == 0x20:
            (loaded,) = struct.unpack_from("<I", data, value)
            at += 1
        else:
            at += 1 + (if_true if (loaded == value if code == 0x15 else loaded >= value) else if_not)


@pytest.mark.parametrize(("column", "machine", "audit"), [(0, "x86_64", 0xC000003E), (1, "aarch64", 0xC00000B7)])
def test_the_filter_denies_what_is_listed_and_nothing_else(column, machine, audit):
    lines = filter.program(machine)
    denied = {numbers[column] for numbers in filter.DENIED.values() if numbers[column]}
    socket, socketpair, setsockopt = ((41, 53, 54), (198, 199, 208))[column]
    for number in range(600):
        answer = filtered(lines, audit, number, 10, 5, 9)
        assert (answer == filter.ALLOW) is (number not in denied), number
    assert filtered(lines, audit, 1 << 30) == filtered(lines, 0x40000003, 1) == filter.DENY
    for call in (socket, socketpair):
        assert [family for family in range(50) if filtered(lines, audit, call, family) == filter.ALLOW] == [
            1,
            2,
            10,
            16,
        ]
    options = [option for option in range(80) if filtered(lines, audit, setsockopt, 3, 1, option) == filter.DENY]
    assert options == [7, 8, 32, 33]  # SO_SNDBUF, SO_RCVBUF, and both by force
    assert all(filtered(lines, audit, setsockopt, 3, 6, option) == filter.ALLOW for option in options)


@pytest.mark.skipif(not ctypes.util.find_library("seccomp"), reason="compares with libseccomp, which is not here")
@pytest.mark.parametrize("machine", filter.MACHINES)
def test_the_numbers_of_calls_are_those_that_libseccomp_knows(machine):
    column, audit = filter.MACHINES[machine]
    resolve = ctypes.CDLL(ctypes.util.find_library("seccomp")).seccomp_syscall_resolve_name_arch
    ours = filter.DENIED | {name: numbers for name, (numbers, _) in filter.DENIED_WITH.items()}
    ours |= dict(zip(("socket", "socketpair"), filter.SOCKETS, strict=True))
    theirs = {name: resolve(ctypes.c_uint32(audit), name.encode()) for name in ours}
    newer = {"listmount", "open_tree_attr", "statmount"}  # than the libseccomp of 2022
    assert {name for name, number in theirs.items() if number == -1} <= newer
    # A call that a machine does not have is a negative number there and 0 here.
    assert {n: max(number, 0) for n, number in theirs.items() if number != -1} == {
        n: numbers[column] for n, numbers in ours.items() if theirs[n] != -1
    }


@pytest.mark.parametrize(("column", "machine", "audit"), [(0, "x86_64", 0xC000003E), (1, "aarch64", 0xC00000B7)])
def test_calls_that_change_another_process_are_denied_for_the_first_one_alone(column, machine, audit):
    """The first process is 1; -1, for all processes, leaves it out, as the kernel does."""
    lines = filter.program(machine)
    second = ("setpriority", "ioprio_set")  # their first argument says whether a process, a group or a user is meant
    for name, (numbers, _) in filter.DENIED_WITH.items():
        if name in ("fcntl", "setsockopt"):
            continue
        before = (1,) if name in second else ()
        answers = [filtered(lines, audit, numbers[column], *before, who % 2**64) for who in (0, 1, 2, 77, -1)]
        assert answers == [filter.ALLOW, filter.DENY, *[filter.ALLOW] * 3], name
    for name, user in (("setpriority", 2), ("ioprio_set", 3)):
        assert filtered(lines, audit, filter.DENIED_WITH[name][0][column], user, 0) == filter.DENY
    fcntl = filter.DENIED_WITH["fcntl"][0][column]
    locks = [command for command in range(1100) if filtered(lines, audit, fcntl, 3, command) == filter.DENY]
    assert locks == [6, 7, 37, 38, 1024, 1026]


# What one process can do to another: a table, each line tried on the sandbox's first process.
ON_THE_FIRST = {
    "limits": "resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))",
    "priority": "os.setpriority(os.PRIO_PROCESS, 1, 19)",
    "priority of its group": "os.setpriority(os.PRIO_PGRP, 1, 19)",
    "priority of all of its user": "os.setpriority(os.PRIO_USER, 0, 19)",
    "scheduler": "os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))",
    "scheduler's parameters": "os.sched_setparam(1, os.sched_param(0))",
    "processors": "os.sched_setaffinity(1, {0})",
    "signals": "os.kill(1, signal.SIGTERM)",
    "signals by a descriptor": "signal.pidfd_send_signal(os.pidfd_open(1), signal.SIGTERM)",
    "its group": "os.setpgid(1, 0)",
    "its memory": "open('/proc/1/mem', 'r+b')",
    "its chance when memory is short": "open('/proc/1/oom_score_adj', 'w')",
    "its descriptors": "os.listdir('/proc/1/fd')",
    "tracing": "libc(101, 16, 1, 0, 0)",
    "its memory by a call": "libc(311, 1, 0, 0, 0, 0, 0)",
    "advice on its memory": "libc(440, 1, 0, 0, 0, 0)",
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of calls are x86_64's")
@pytest.mark.parametrize("what", ON_THE_FIRST)
def test_nothing_inside_reaches_the_first_process(session, what):
    source = f"""
import ctypes, os, resource, signal
call = ctypes.CDLL(None, use_errno=True).syscall
def libc(*arguments):
    if call(*arguments) == -1:
        raise OSError(ctypes.get_errno(), "no")
try:
    {ON_THE_FIRST[what]}
    print("done")
except OSError:
    print("refused")
"""
    assert printed(session, source) == "refused\n"
