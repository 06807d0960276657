"""The host's side of the warm parent: starts it in bubblewrap, and opens a session for each submission."""

import atexit
import contextlib
import functools
import json
import socket
import subprocess
import sys
from typing import Any

from autograder.common.course import Course
from autograder.common.errors import SandboxError, SandboxLost
from autograder.sandbox import launch
from autograder.sandbox.bubblewrap import IN_A_CONTAINER
from autograder.sandbox.errors import Stopped
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.operations import LATE
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from utils.common.messages import N_, Message

# Seconds that the parent may take to load, on a busy machine with cold disks.
WARMING_UP = 120


class Sandbox:
    """The warm parent. Use as a context manager; `session()` opens a sandbox for one submission."""

    def __init__(self, course: Course, limits: Limits | None = None):
        self.course = course  # student code sees the modules of this course
        self.limits = limits or Limits()
        self.process: subprocess.Popen[bytes] | None = None
        self.needs: list[str] = []  # modules that the parent has to load before it forks the next session

    def __enter__(self) -> "Sandbox":
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the parent and wait until it is warm (2 to 4 s). Raises: SandboxError."""
        process, self.control = launch.launched(self.course)
        self.process = process
        self.control.settimeout(WARMING_UP)
        try:
            ready, _ = wire.receive(self.control)
        except (EOFError, OSError, wire.WireError):
            process.kill()
            said = process.communicate()[1].decode(errors="replace").strip().split("\n")[-1]
            raise SandboxError(
                "The sandbox could not be started ({reason}); if user namespaces are forbidden here, type: "
                "sudo sysctl kernel.unprivileged_userns_clone=1 "
                "(Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0). Or {in_a_container}.",
                reason=said or Message(N_("no answer")),
                in_a_container=Message(IN_A_CONTAINER),
            ) from None
        if process.stderr:
            process.stderr.close()
        if ready["seen"]:
            self.close()
            raise SandboxError(
                "The sandbox would show students {file}; move it out of the folders of this Python ({prefix}, {base}) "
                "and of /usr, or make a separate environment for grading.",
                file=ready["seen"][0],
                prefix=sys.prefix,
                base=sys.base_prefix,
            )

    def close(self) -> None:
        if self.process is not None:
            self.control.close()
            self.process.kill()
            self.process.wait()
            self.process = None

    def session(self, language: str = "en") -> Session:
        """Open a sandbox for one submission, in a few milliseconds; its figures and prints are in `language`.

        Raises: SandboxError, SandboxLost.
        """
        why: Exception | None = None
        for number in range(2):
            if self.process is None or self.process.poll() is not None:
                self.close()
                try:
                    self.start()
                except SandboxError:  # perhaps the parent was killed while it started: try once more
                    if number:
                        raise
                    continue
            try:
                return self._open(language)
            except (Stopped, OSError) as error:
                why = error
                self.close()  # a parent that cannot fork is of no use to later submissions either
        raise SandboxLost("The sandbox stopped working ({why}); is this computer short of memory?", why=str(why))

    def need(self, loaded: Any) -> None:
        """Have the parent load the modules that a session reports as loaded; reports outside of `LATE` are ignored."""
        if isinstance(loaded, list):
            wanted = [needed for name in LATE if name in loaded for needed in LATE[name]]
            self.needs += [needed for needed in wanted if needed not in self.needs]

    def _open(self, language: str) -> Session:
        with contextlib.ExitStack() as undo:
            ours, theirs = socket.socketpair()
            undo.callback(ours.close)
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            with theirs:
                wanted = {"limits": self.limits.for_inside(), "needs": self.needs, "language": language}
                socket.send_fds(self.control, [json.dumps(wanted).encode()], [theirs.fileno()])
            session = Session(ours, self.limits)
            undo.pop_all()
        return session


@functools.cache
def shared_sandbox(course: Course) -> Sandbox:
    """Return this process' sandbox for a course. It starts with its first session, and is closed with the process."""
    sandbox = Sandbox(course)
    atexit.register(sandbox.close)
    return sandbox
