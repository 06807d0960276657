"""What runs inside bubblewrap: the warm parent, and the states forked from it that run student code.

The parent is trusted and never runs student code. A state answers requests on its session's socket;
from its first cell on, it counts as the student's own. Before each question of an exam a state forks: the
child sits it, the parent stays as it was, so that whatever is done to the child can be undone by going
back. Cells run in the state itself; once one had to be stopped, all are run again, each in a fork of its
own. The host alone decides; see `host.py` and `examiner.py`.
"""

import contextlib
import ctypes
import gc
import os
import resource
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

from . import filter, light_torch, wire

# Linux's numbers, from <linux/sched.h>, <linux/prctl.h> and <sys/mount.h>.
NEW_NAMESPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000  # user, mount, pid, net, ipc
MS_NOSUID, MS_NODEV, MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 1, 32, 4096, 16384, 1 << 18
PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE = 38, 4
CAPABILITY_VERSION_3 = 0x20080522
NOBODY = 65534
SCRATCH = "/scratch"

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Load everything, say so, then fork a sandbox for each session that the host sends."""
    control = socket.socket(fileno=int(sys.argv[1]))
    shell = warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps sessions that end
    wire.send(control, {"ready": True})
    while True:
        try:
            message, descriptors, _, _ = socket.recv_fds(control, 4096, 1)
        except OSError:
            return
        if not message:
            return
        limits = wire.json.loads(message)
        if os.fork() == 0:
            control.close()
            try:
                enter_sandbox(socket.socket(fileno=descriptors[0]), shell, limits)
            except BaseException:
                traceback.print_exc()
            os._exit(1)
        os.close(descriptors[0])


def warm_up():
    """Import what lessons import, run each kind of kernel once, and return IPython's shell."""
    import importlib
    import pkgutil

    import torch

    torch.set_num_threads(1)
    light_torch.install()
    from autograder_sandbox.shell import make_shell

    shell = make_shell()
    import utils

    for module in pkgutil.walk_packages(utils.__path__, "utils."):
        if not module.name.endswith(("__main__", "download")):
            importlib.import_module(module.name)
    # One step of training, on whose first time torch loads more.
    x = torch.ones(2, 3, 4, requires_grad=True)
    convolution = torch.nn.Conv1d(3, 3, 1)
    y = torch.softmax(convolution(x) @ x.transpose(1, 2), dim=-1)
    y.backward(torch.ones_like(y))
    torch.optim.Adam(convolution.parameters()).step()
    gc.collect()
    gc.freeze()  # what is loaded now stays shared between all forks
    return shell


def _check(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def enter_sandbox(session: socket.socket, shell, limits: dict) -> None:
    """Shut this process into namespaces of its own, drop every right, and answer requests; never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        # Changing the user clears this flag, and without it the kernel gives our own /proc files to root.
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    uid, gid = os.getuid(), os.getgid()
    _check(libc.unshare(NEW_NAMESPACES), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    if os.fork():  # only a child enters the new pid namespace, as its first process
        session.close()
        os.wait()
        os._exit(0)
    # Addresses beyond what is loaded: page tables of a mapping without end would count as nobody's memory.
    loaded = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    addresses = loaded + 2 * limits["rlimits"]["RLIMIT_DATA"][1]
    private_files(limits)
    for name, (soft, hard) in limits["rlimits"].items():
        resource.setrlimit(getattr(resource, name), (soft, hard))
    resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))
    drop_rights()
    os.setsid()
    wire.send(session, {"init": True})
    if os.fork():
        session.close()
        while True:  # reap orphans until nothing is left
            try:
                os.wait()
            except ChildProcessError:
                os._exit(0)
    State(session, shell).serve()


def private_files(limits: dict) -> None:
    """Give this sandbox a scratch folder of its own and take away every other place to write, and /proc."""
    size = f"size={limits['scratch_bytes']},nr_inodes={limits['scratch_files']},mode=0777"
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
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
    """Drop all capabilities for good, and every system call that lessons have no use for."""
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _check(libc.capset(header, nothing), "capset")
    filter.install(libc)


class State:
    """The student's process: a shell with the cells run so far, and the objects that the examiner holds."""

    def __init__(self, session: socket.socket, shell):
        self.session = session
        self.shell = shell
        self.objects: dict[int, Any] = {}

    def serve(self) -> None:
        """Answer requests until the host hangs up or kills this process."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        while True:
            try:
                request, tensors = wire.receive(self.session)
            except (EOFError, OSError):
                os._exit(0)
            if request["op"] == "cell in place":
                wire.send(self.session, self.shell.run(request["source"], request["name"]))
                continue
            if request["op"] in ("cell", "begin"):
                if self.fork() and request["op"] == "cell":
                    wire.send(self.session, self.shell.run(request["source"], request["name"]))
                continue
            self.answer(request["steps"], tensors)

    def fork(self) -> bool:
        """Fork; True in the child. The parent sleeps until the host kills the child and wakes it."""
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)  # a signal to its group shall not meet the states before
            wire.send(self.session, {"started": True})
            return True
        signal.sigwait({signal.SIGUSR1})
        os.waitpid(child, 0)
        self.forget_requests()
        wire.send(self.session, {"resumed": True})
        return False

    def forget_requests(self) -> None:
        """Throw away what the dead child was asked and did not read; the host asks nothing before `resumed`."""
        self.session.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while self.session.recv(2**20):
                pass
        self.session.setblocking(True)

    def answer(self, steps: list[dict], tensors: dict) -> None:
        """Do operations on the student's objects one by one and send the last one's result, or what one raised."""
        reply_tensors: dict = {}
        try:
            for step in steps:
                result = self.operate(step, wire.unpack(step["args"], tensors, self.objects.__getitem__))
                self.objects[step["as"]] = result
            if step["op"] in ("value", "parameters") or result is None or type(result) in (bool, int, float, str):
                reply = {"value": wire.pack(result, reply_tensors)}
            else:
                reply = {"value": {"ref": step["as"]}}
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: they are the student's
            from utils.checks.question import failure_of

            failure = failure_of(error)
            reply, reply_tensors = {"failure": [failure.kind, failure.text, failure.where]}, {}
        wire.send(self.session, reply, reply_tensors)

    def operate(self, request: dict, args: Any) -> Any:
        op = request["op"]
        if op == "get":
            if request["name"] not in self.shell.names:
                raise NameError(f"name {request['name']!r} is not defined")
            return self.shell.names[request["name"]]
        target = self.objects[request["ref"]]
        if op == "call":
            with self.shell.quiet():
                return target(*args["args"], **args["kwargs"])
        if op == "attribute":
            return getattr(target, request["name"])
        if op == "set":
            return setattr(target, request["name"], args)
        if op == "item":
            return target[args]
        if op == "value":
            return target
        if op == "parameters":
            return {name: list(parameter.shape) for name, parameter in target.named_parameters()}
        if op == "fill":
            import torch

            with torch.no_grad():
                for name, parameter in target.named_parameters():
                    parameter.copy_(args[name])
            return target.eval()
        raise ValueError(op)


if __name__ == "__main__":
    main()
