"""Launching the warm parent, which takes seconds to load all that it needs: begun early, it does so beside the grader.

Imports nothing heavy, so that a command can begin before it has loaded torch itself.
"""

import contextlib
import os
import socket
import subprocess

from autograder.common.errors import SandboxError
from autograder.common.settings import UNSAFE
from autograder.sandbox.bubblewrap import bubblewrap, bwrap_command

# The parent, and the socket to it.
Launched = tuple[subprocess.Popen[bytes], socket.socket]

_first = True  # nothing was launched in this process so far
_begun: list[Launched] = []  # ahead of who will ask for it


def begin() -> None:
    """Launch a parent for the first sandbox of this process, unless there was one. Raises: SandboxError."""
    if _first:
        _begun.append(_launch())


def begin_if_possible() -> None:
    """Begin where nobody asked for a sandbox yet: what keeps it from starting is told to the first who does."""
    if not os.environ.get(UNSAFE):
        with contextlib.suppress(SandboxError):
            begin()


def launched() -> Launched:
    """Return a parent that has been launched and may not be ready yet. Raises: SandboxError."""
    return _begun.pop() if _begun else _launch()


def _launch() -> Launched:
    global _first
    _first = False
    bubblewrap()  # asked before anything is opened
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            bwrap_command(theirs.fileno()),
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    return process, ours
