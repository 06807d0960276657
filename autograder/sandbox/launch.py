"""Launching the warm parent. It loads for seconds; if it is launched in advance, it does so while the grader loads.

This module imports nothing heavy, so that a command can launch the parent before it loads torch itself.
"""

import contextlib
import socket
import subprocess

from autograder.common.course import Course
from autograder.common.errors import SandboxError
from autograder.sandbox.bubblewrap import bubblewrap, bwrap_command

# The parent's process, and the socket to it.
Launched = tuple[subprocess.Popen[bytes], socket.socket]

_first = True  # whether this process has launched no parent yet
_begun: list[Launched] = []  # parents launched in advance


def begin(course: Course) -> None:
    """Launch the parent of this process' first sandbox in advance. Raises: SandboxError."""
    if _first:
        _begun.append(_launch(course))


def begin_if_possible(course: Course) -> None:
    """Launch the parent in advance; an error is ignored here and raised when a sandbox is first requested."""
    with contextlib.suppress(SandboxError):
        begin(course)


def launched(course: Course) -> Launched:
    """Return a launched parent, which may still be loading. Raises: SandboxError."""
    return _begun.pop() if _begun else _launch(course)


def _launch(course: Course) -> Launched:
    global _first
    _first = False
    bubblewrap()  # raises before anything is opened
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            bwrap_command(theirs.fileno(), course),
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    return process, ours
