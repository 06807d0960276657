"""Launching the warm parent, which takes seconds to load all that it needs: begun early, it does so beside the grader.

Imports nothing heavy, so that a command can begin before it has loaded torch itself.
"""

import socket
import subprocess

from autograder.sandbox.bubblewrap import bubblewrap, bwrap_command

# The parent, and the socket to it.
Launched = tuple[subprocess.Popen[bytes], socket.socket]

_begun: list[Launched] = []  # ahead of who will ask for it


def begin() -> None:
    """Launch a parent for the first sandbox that will be started in this process. Raises: SandboxError."""
    _begun.append(_launch())


def launched() -> Launched:
    """Return a parent that has been launched and may not be ready yet. Raises: SandboxError."""
    return _begun.pop() if _begun else _launch()


def _launch() -> Launched:
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
