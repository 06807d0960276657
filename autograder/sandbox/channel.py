"""The channel to a session: frames bounded in time and size, each with the process that sent it.

Nothing that a session sends is trusted: its size is checked before it is read, and it is only ever used as data.
"""

import contextlib
import socket
import struct
from typing import Any

from autograder.sandbox.errors import Stopped
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.operations import Announcement
from autograder.sandbox.limits import DIED, TOO_MUCH
from autograder.sandbox.watch import Watch

# Of a message's ancillary data: the sender's process, user and group (struct ucred).
CREDENTIALS = struct.Struct("iII")
# Bytes to receive at once: the whole frame, in most cases.
MOST_AHEAD = 2**16


class Channel:
    """Our end of a session's socket. `watch` enforces the limits while we wait for the session."""

    def __init__(self, end: socket.socket, watch: Watch):
        self.socket = end
        self.socket.setblocking(False)
        self.left = watch.limits.sent_bytes  # bytes that the session may still send
        self.read, self.sender = bytearray(), 0  # bytes received and not yet parsed, and the process that sent them
        self.watch = watch

    def send(self, header: dict[str, Any], tensors: wire.Tensors | None = None) -> None:
        """Send a frame. Raises: Stopped when it is not read within the current step's limits."""
        left = memoryview(wire.frame(header, tensors))
        try:
            while left:
                try:
                    left = left[self.socket.send(left) :]
                except BlockingIOError:
                    self.watch.wait(self.socket, writing=True)
        except OSError:
            raise self.watch.stopped(DIED) from None

    def receive(self) -> tuple[dict[str, Any], wire.Tensors]:
        """Read a frame. Raises: Stopped."""
        return self._receive()[0]

    def announced(self, what: Announcement) -> int:
        """Read an announcement and return its sender's process id. Raises: Stopped when another message came."""
        (header, _), sender = self._receive()
        if header.get(what.value) is not True:
            raise self.watch.stopped(DIED)
        return sender

    def drain(self) -> None:
        """Discard everything that was sent and not read yet."""
        self.read.clear()
        with contextlib.suppress(OSError):
            while self.socket.recv(2**20):
                pass

    def close(self) -> None:
        self.socket.close()

    def _receive(self) -> tuple[tuple[dict[str, Any], wire.Tensors], int]:
        header_length, payload_length = wire.HEADER.unpack(self._taken(wire.HEADER.size))
        try:
            wire.check_lengths(header_length, payload_length)
            self.left -= header_length + payload_length
            if self.left < 0:
                raise wire.WireError
            body = self._taken(header_length + payload_length)
            header, tensors = wire.parse(body[:header_length], body[header_length:])
            if not isinstance(header, dict):
                raise wire.WireError
        except wire.WireError:
            raise Stopped(TOO_MUCH) from None
        return (header, tensors), self.sender

    def _taken(self, length: int) -> bytes:
        """Return the next `length` bytes; wait for those that are missing. Raises: Stopped."""
        while len(self.read) < length:
            try:
                part, ancillary, _, _ = self.socket.recvmsg(
                    min(max(length - len(self.read), MOST_AHEAD), 2**20), socket.CMSG_SPACE(CREDENTIALS.size)
                )
            except BlockingIOError:
                self.watch.wait(self.socket)
                continue
            except OSError:
                raise self.watch.stopped(DIED) from None
            if not part:
                raise self.watch.stopped(DIED)
            sender = 0
            for level, kind, data in ancillary:
                if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                    sender = CREDENTIALS.unpack(data[: CREDENTIALS.size])[0]
            if self.read and sender != self.sender:  # one process began a frame, another continued it
                raise self.watch.stopped(DIED)
            self.sender = sender
            self.read += part
        taken = bytes(self.read[:length])
        del self.read[:length]
        return taken
