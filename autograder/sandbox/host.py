"""The host's end: starts the warm parent in bubblewrap, opens sessions, keeps every limit.

Nothing that a session sends is trusted: it is bounded before it is read, and it is only ever data.
Limits are kept from outside: a session that is too slow, too large or silent is killed, and the state
before the offending cell goes on.
"""

import atexit
import contextlib
import functools
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.sandbox.bubblewrap import IN_A_CONTAINER, SandboxError, bubblewrap, bwrap_command
from autograder.sandbox.inside import wire
from autograder.sandbox.processes import (
    Process,
    alive,
    children,
    cpu_seconds,
    descendants,
    namespace,
    own_bytes,
    share_of_bytes,
    waited_seconds,
)
from utils.checks.observation import Failure
from utils.common.messages import N_

SHARED_FOLDERS = ("/tmp", "/dev/shm")


class Stopped(Exception):
    """A session's request ended without an answer; `failure` says why, as a verdict's reason."""

    def __init__(self, why: str):
        super().__init__(why)
        self.failure = Failure("Stopped", why)


class RemoteError(Exception):
    """The student's code raised; `failure` is what it raised."""

    def __init__(self, failure: Failure):
        super().__init__(failure.text)
        self.failure = failure


@dataclass(frozen=True)
class Limits:
    """What one submission may use. A cell of an honest submission takes well under a second."""

    cell_cpu_seconds: float = 5.0
    # Wall time is larger, so that a busy machine does not cost a mark, and bounds those who sleep.
    cell_wall_seconds: float = 20.0
    total_wall_seconds: float = 90.0
    memory_bytes: int = 2 * 2**30
    processes: int = 64
    scratch_bytes: int = 128 * 2**20
    scratch_files: int = 4096
    # All that one session may send: outputs and values together.
    sent_bytes: int = 128 * 2**20

    def for_inside(self) -> dict:
        """Return what the sandbox sets for itself before student code runs."""
        # The scratch folder covers the shared ones, but not where this Python itself lies below one of them.
        ours = [Path(folder) for folder in (sys.prefix, sys.base_prefix)]
        below = {folder: any(path.is_relative_to(folder) for path in ours) for folder in SHARED_FOLDERS}
        return {
            "covered": [folder for folder, needed in below.items() if not needed],
            "read_only": [folder for folder, needed in below.items() if needed],
            "scratch_bytes": self.scratch_bytes,
            "scratch_files": self.scratch_files,
            "rlimits": {
                "RLIMIT_DATA": (self.memory_bytes, self.memory_bytes),
                "RLIMIT_NPROC": (self.processes, self.processes),
                "RLIMIT_NOFILE": (256, 256),
                "RLIMIT_CORE": (0, 0),
                "RLIMIT_FSIZE": (self.scratch_bytes, self.scratch_bytes),
            },
        }


TOO_SLOW = N_("your code was stopped: it ran longer than the time that one step may take (an endless loop?)")
TOO_LONG = N_("your notebook was stopped: all its cells together ran too long")
TOO_LARGE = N_("your code was stopped: it used more memory than one notebook may use")
TOO_MUCH = N_("your code was stopped: it returned or printed more than one answer may hold")
# Operations, and numbers in their tensors, after which what was noted is sent.
MOST_STEPS, MOST_NUMBERS = 100, 2**20
# The part of its time that a step gets when there is reason to be quick.
HURRY = 0.2
DIED = N_("your code ended Python itself (exit, a crash, or too much memory)")


class Sandbox:
    """The warm parent. Use as a context manager; `session()` opens a sandbox for one submission."""

    def __init__(self, limits: Limits | None = None):
        self.limits = limits or Limits()
        self.process: subprocess.Popen | None = None

    def __enter__(self) -> "Sandbox":
        self.start()
        return self

    def __exit__(self, *_exc) -> None:
        self.close()

    def start(self) -> None:
        """Start the parent and wait until it is warm (2 to 4 s). Raises: SandboxError."""
        bubblewrap()  # asked before anything is opened
        ours, theirs = socket.socketpair()
        command = bwrap_command(theirs.fileno())
        self.process = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        theirs.close()
        self.control = ours
        self.control.settimeout(120)
        try:
            wire.receive(self.control)
        except (EOFError, OSError, wire.WireError):
            self.process.kill()
            said = self.process.communicate()[1].decode(errors="replace").strip().split("\n")[-1]
            raise SandboxError(
                f"The sandbox could not be started ({said or 'no answer'}); if user namespaces are forbidden here, "
                "type: sudo sysctl kernel.unprivileged_userns_clone=1 "
                f"(Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0). Or {IN_A_CONTAINER}."
            ) from None
        self.process.stderr.close()

    def close(self) -> None:
        if self.process is not None:
            self.control.close()
            self.process.kill()
            self.process.wait()
            self.process = None

    def session(self) -> "Session":
        """Open a sandbox for one submission, in a few milliseconds."""
        for last in (False, True):
            if self.process is None or self.process.poll() is not None:
                self.close()
                self.start()
            try:
                return self._open()
            except (Stopped, OSError) as error:
                self.close()  # a parent that cannot fork any more is no use to the next submission either
                if last:
                    raise SandboxError(
                        f"The sandbox stopped working ({error}); is this computer short of memory?"
                    ) from None

    def _open(self) -> "Session":
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        socket.send_fds(self.control, [wire.json.dumps(self.limits.for_inside()).encode()], [theirs.fileno()])
        theirs.close()
        return Session(ours, self.limits)


@functools.cache
def shared_sandbox() -> Sandbox:
    """Return this process' own sandbox, which starts with its first session and is closed at the process' end."""
    sandbox = Sandbox()
    atexit.register(sandbox.close)
    return sandbox


class Session:
    """One submission's sandbox: a chain of states, of which the last one answers."""

    def __init__(self, channel: socket.socket, limits: Limits):
        self.channel = channel
        self.limits = limits
        self.started = time.monotonic()
        self.cpu_seconds = 0.0
        self.received = 0
        self.strays = 0
        self.states: list[Process] = []  # the last one is current
        self.refs = 0  # objects that the examiner holds, by number
        self.noted: list[dict] = []  # operations to be sent with the next request, and their tensors
        self.tensors: dict = {}
        self.patience = 1.0
        self.next_look = 0.0
        # Of the current step: the moment it must end, its processor seconds, its bytes of memory.
        self.deadline: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self._begin_step()
        self.ended = False
        self.init = Process(self._await("init"))
        self._await_first_state()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_exc) -> None:
        self.close()

    # ---- what the examiner does -----------------------------------------------------------------------

    def run_in_place(self, source: str, name: str) -> dict:
        """Run a cell in the current state itself, for a fifth of the usual time.

        Raises: Stopped when it does not answer or leaves processes running: then this session is spoilt.
        """
        used = self.states[-1].cpu_seconds()
        self._begin_step(used, patience=HURRY)
        self._send({"op": "cell in place", "source": source, "name": name})
        reply, _ = self._receive()
        self._check_remains()
        if self._strays():
            raise Stopped(DIED)
        self.cpu_seconds += self.states[-1].cpu_seconds() - used
        return reply

    def run_cell(self, source: str, name: str) -> dict:
        """Run a cell in a child state, which becomes the current one. Raises: Stopped; the state before goes on."""
        depth = self._fork({"op": "cell", "source": source, "name": name})
        try:
            reply, _ = self._receive()
            self._check_remains()
        except Stopped:
            self._back_to(depth)
            raise
        self._end_strays()
        self.cpu_seconds += self.states[-1].cpu_seconds()
        return reply

    @contextlib.contextmanager
    def question(self):
        """Run the block's requests in a child state that is thrown away at its end. Raises: Stopped."""
        self.forget()
        depth = self._fork({"op": "begin"})
        try:
            yield
        finally:
            self.cpu_seconds += self.states[-1].cpu_seconds()
            self._back_to(depth)

    def later(self, op: str, *, args: Any = None, **fields) -> wire.Ref:
        """Note an operation to be done before the next request; return what its result will be known by.

        A test asks for many operations and few values: together they cross in one frame.
        """
        ref = self._note(op, args, fields)
        if len(self.noted) > MOST_STEPS or sum(t.numel() for t in self.tensors.values()) > MOST_NUMBERS:
            self.settle()
        return ref

    def request(self, op: str, *, args: Any = None, **fields) -> Any:
        """Ask the current state for what was noted and one operation; return its plain value or a `wire.Ref`.

        Raises: RemoteError when the student's code raised, Stopped when it did not answer.
        """
        self._note(op, args, fields)
        return self.settle()

    def _note(self, op: str, args: Any, fields: dict) -> wire.Ref:
        self.refs += 1
        self.noted.append({"op": op, "args": wire.pack(args, self.tensors), "as": self.refs, **fields})
        return wire.Ref(self.refs)

    def settle(self) -> Any:
        """Ask for what was noted; return the last operation's value or Ref, None when nothing was. Raises as above."""
        steps, tensors = self.noted, self.tensors
        if not steps:
            return None
        self.forget()
        self._send({"op": "steps", "steps": steps}, tensors)
        reply, tensors = self._receive()
        if "failure" in reply:
            raise RemoteError(failure_from(reply["failure"]))
        try:
            return wire.unpack(reply["value"], tensors)
        except (wire.WireError, KeyError):
            raise Stopped(TOO_MUCH) from None

    def forget(self) -> None:
        """Drop what was noted and not yet asked for."""
        self.noted, self.tensors = [], {}

    def close(self) -> None:
        """End every process of this session: they go with the first process of their namespace."""
        self.ended = True
        self.init.signal(signal.SIGKILL)
        for process in (self.init, *self.states):
            process.close()
        self.channel.close()

    # ---- states ---------------------------------------------------------------------------------------

    def _fork(self, request: dict) -> int:
        """Have the current state fork; return how many states there were. Raises: Stopped.

        A state that is dead or does not listen is given up for the one before it.
        """
        while True:
            depth = len(self.states)
            try:
                return self._fork_once(request)
            except Stopped:
                if self.ended or len(self.states) == depth:
                    raise

    def _fork_once(self, request: dict) -> int:
        if time.monotonic() > self.started + self.limits.total_wall_seconds:
            self._end()
        if self.ended:
            raise Stopped(TOO_LONG)
        depth = len(self.states)
        self._begin_step()
        self._send(request)
        try:
            child = Process(self._await("started"))
            if child.pid not in children(self.states[-1].pid):  # said by a thread, or by who is dead by now
                child.close()
                raise Stopped(DIED)
        except Stopped:
            self._back_to(depth)
            raise
        self.states[-1].signal(signal.SIGSTOP)  # its threads too: only the child may work now
        self.states.append(child)
        return depth

    def _back_to(self, depth: int) -> None:
        """Kill the states after `depth` and wake the one that stays; end the session if none answers."""
        self._end_strays()
        while len(self.states) > depth:
            self.states.pop().end()
        while self.states and not self.ended:
            self._drain()
            self.states[-1].signal(signal.SIGUSR1)
            self.states[-1].signal(signal.SIGCONT)
            if self._resumed():
                return
            self.states.pop().end()  # it had been killed as well: one more cell is lost
        self._end()

    def _resumed(self) -> bool:
        """Return whether the current state has woken. It takes milliseconds; 5 s are for a busy machine."""
        end = time.monotonic() + 5
        while time.monotonic() < end:
            self.deadline = (time.monotonic() + 0.25, float("inf"), float("inf"))
            try:
                reply, _ = self._receive()
                if reply.get("resumed") is True:
                    return True
            except Stopped:
                if not alive(self.states[-1].pid):
                    return False
                self._end_strays()  # it may have obeyed an order to fork that came too late
        return False

    def _end(self) -> None:
        """End the sandbox before its time: what is still asked of it is answered by Stopped."""
        self.ended = True
        self.init.end()

    def _await(self, what: str) -> int:
        """Read one announcement and return the sender's process id, which the kernel vouches for."""
        reply, sender = self._receive_from()
        if reply[0].get(what) is not True:
            raise Stopped(DIED)
        return sender

    def _await_first_state(self) -> None:
        end = time.monotonic() + 5
        while not (found := children(self.init.pid)) and time.monotonic() < end:
            time.sleep(0.001)
        self.states = [Process(pid) for pid in found[:1]]

    def _strays(self) -> list[int]:
        """Processes that the student's code started and that still run: all of the sandbox but its states."""
        states = {state.pid for state in self.states}
        return [pid for pid in descendants(self.init.pid) if pid not in states and alive(pid)]

    def _end_strays(self) -> None:
        """Kill processes that a cell left behind; a bomb goes on forking for a round or two."""
        found: set[int] = set()
        end = time.monotonic() + 2
        while strays := self._strays():
            found.update(strays)
            held = [Process(pid) for pid in strays]
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for process in held:
                    if namespace(process.pid) == namespace(self.init.pid):
                        process.signal(number)
            for process in held:
                process.close()
            if time.monotonic() > end:  # faster than we are
                self._end()
                break
            time.sleep(0.001)
        self.strays += len(found)

    # ---- limits ---------------------------------------------------------------------------------------

    def hurry(self, hurry: bool = True) -> None:
        """Give each step a fifth of its time from now on, or all of it again."""
        self.patience = HURRY if hurry else 1.0

    def _begin_step(self, used: float = 0.0, patience: float = 1.0) -> None:
        """Set the limits of a step by a process that has used `used` processor seconds before."""
        self.next_look = time.monotonic() + 0.05
        patience *= self.patience
        wall = time.monotonic() + patience * self.limits.cell_wall_seconds
        wall = min(wall, self.started + self.limits.total_wall_seconds)
        self.deadline = (wall, used + patience * self.limits.cell_cpu_seconds, self.limits.memory_bytes)

    def _check_remains(self) -> None:
        """Stop a cell that has ended but leaves more than half of the memory taken: what follows would have no room."""
        if own_bytes(self.states[-1].pid) > self.limits.memory_bytes // 2:
            raise Stopped(TOO_LARGE)

    def _drain(self) -> None:
        """Throw away what the dead state had sent."""
        self.channel.setblocking(False)
        try:
            while self.channel.recv(2**20):
                pass
        except OSError:
            pass
        finally:
            self.channel.setblocking(True)

    # ---- reading ----------------------------------------------------------------------------------------

    def _send(self, header: dict, tensors: dict | None = None) -> None:
        """Send a request within the time limit. Raises: Stopped."""
        self.channel.settimeout(max(0.01, self.deadline[0] - time.monotonic()))
        try:
            wire.send(self.channel, header, tensors)
        except OSError:
            raise Stopped(DIED) from None
        finally:
            self.channel.settimeout(None)

    def _receive(self) -> tuple[dict, dict]:
        return self._receive_from()[0]

    def _receive_from(self) -> tuple[tuple[dict, dict], int]:
        head, sender = self._exactly(wire.HEADER.size)
        header_length, payload_length = wire.HEADER.unpack(head)
        try:
            wire.check_lengths(header_length, payload_length)
            self.received += header_length + payload_length
            if self.received > self.limits.sent_bytes:
                raise wire.WireError
            body, _ = self._exactly(header_length + payload_length)
            frame = wire.parse(body[:header_length], body[header_length:])
            if not isinstance(frame[0], dict):
                raise wire.WireError
        except wire.WireError:
            raise Stopped(TOO_MUCH) from None
        return frame, sender

    def _exactly(self, length: int) -> tuple[bytes, int]:
        """Read `length` bytes within the limits; return them and the process id of their sender."""
        parts, sender = bytearray(), 0
        while len(parts) < length:
            self._wait_readable()
            try:
                part, ancillary, _, _ = self.channel.recvmsg(min(length - len(parts), 2**20), socket.CMSG_SPACE(12))
            except OSError:
                raise Stopped(DIED) from None
            if not part:
                raise Stopped(DIED)
            for level, kind, data in ancillary:
                if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                    sender = struct.unpack("iII", data[:12])[0]
            parts += part
        return bytes(parts), sender

    def _wait_readable(self) -> None:
        """Wait for the session to send; stop it when it is dead, too slow or too large."""
        wait = 0.05
        while True:
            now = time.monotonic()
            # Asked before each part, so that a trickle does not put it off; time without a processor does not count.
            if now > self.deadline[0] and now - self._waited() > self.deadline[0]:
                over = now - self._waited() > self.started + self.limits.total_wall_seconds
                raise Stopped(TOO_LONG if over else TOO_SLOW)
            if now > self.next_look:
                self._look()
                self.next_look = time.monotonic() + wait
            if select.select([self.channel], [], [], wait)[0]:
                return
            wait = min(2 * wait, 0.25)

    def _waited(self) -> float:
        """Return how long the current state has waited for a processor."""
        return waited_seconds(self.states[-1].pid) if self.states else 0.0

    def _look(self) -> None:
        """Stop a session that is dead, or has used more than its processor time or memory."""
        if not self.states:
            return
        current = self.states[-1]
        if not alive(current.pid) and not select.select([self.channel], [], [], 0)[0]:
            raise Stopped(DIED)
        family = [current.pid, *self._strays()]
        if sum(map(cpu_seconds, family)) > self.deadline[1]:
            raise Stopped(TOO_SLOW)
        # The quick sum counts pages that forks still share once for each of them; the slow one shares them out.
        if sum(map(own_bytes, family)) > self.deadline[2] and sum(map(share_of_bytes, family)) > self.deadline[2]:
            raise Stopped(TOO_LARGE)


# Kinds of failures that only the host itself states.
OURS = ("Stopped", "NothingReturned")


def failure_from(parts: Any) -> Failure:
    """Return a failure that a sandbox reported, as bounded text."""
    if not isinstance(parts, list) or len(parts) != 3 or not all(isinstance(part, str) for part in parts):
        return Failure("Error", "")
    kind, text, where = (printable(part) for part in parts)
    if kind in OURS:
        kind = f"student's {kind}"
    return Failure(kind[:100], text[:300], where[:120])


def printable(text: str) -> str:
    """Return text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:1000])
