"""Keeping a session's limits, from outside: time, processor seconds and memory of its current step."""

import select
import socket
import time

from autograder.sandbox.limits import DIED, TOO_LARGE, TOO_LONG, TOO_SLOW, Limits, Stopped
from autograder.sandbox.processes import (
    Process,
    alive,
    cpu_seconds,
    descendants,
    own_bytes,
    share_of_bytes,
    waited_seconds,
)

# The part of its time that a step gets when there is reason to be quick.
HURRY = 0.2
# Seconds between looks at a session that keeps us waiting: at first, and at most.
FIRST_LOOK, LATER_LOOKS = 0.05, 0.25
UNLIMITED = float("inf")


class Watch:
    """The limits of the current step, and whoever it is that must keep them."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self.started = time.monotonic()
        self.init: Process | None = None  # the sandbox' first process
        self.states: list[Process] = []  # the last one is current
        self.patience = 1.0
        self.ends = self.started + limits.cell_wall_seconds
        self.most_cpu_seconds = limits.cell_cpu_seconds
        self.most_bytes = float(limits.memory_bytes)
        self.next_look = self.started + FIRST_LOOK

    @property
    def over(self) -> bool:
        """Whether the submission's whole time is used up."""
        return time.monotonic() > self.started + self.limits.total_wall_seconds

    @property
    def seconds_left(self) -> float:
        """Of the current step."""
        return self.ends - time.monotonic()

    def begin_step(self, used: float = 0.0, patience: float = 1.0) -> None:
        """Set the limits of a step by a process that has used `used` processor seconds before."""
        self.next_look = time.monotonic() + FIRST_LOOK
        patience *= self.patience
        wall = time.monotonic() + patience * self.limits.cell_wall_seconds
        self.ends = min(wall, self.started + self.limits.total_wall_seconds)
        self.most_cpu_seconds = used + patience * self.limits.cell_cpu_seconds
        self.most_bytes = self.limits.memory_bytes

    def begin_waking(self, seconds: float) -> None:
        """Set the limits of a state's waking: time alone."""
        self.ends, self.most_cpu_seconds, self.most_bytes = time.monotonic() + seconds, UNLIMITED, UNLIMITED

    def wait_readable(self, channel: socket.socket) -> None:
        """Wait for the session to send. Raises: Stopped when it is dead, too slow or too large."""
        pause = FIRST_LOOK
        while True:
            now = time.monotonic()
            # Asked before each part, so that a trickle does not put it off; time without a processor does not count.
            if now > self.ends and now - self._waited() > self.ends:
                over = now - self._waited() > self.started + self.limits.total_wall_seconds
                raise Stopped(TOO_LONG if over else TOO_SLOW)
            if now > self.next_look:
                self._look(channel)
                self.next_look = time.monotonic() + pause
            if select.select([channel], [], [], pause)[0]:
                return
            pause = min(2 * pause, LATER_LOOKS)

    def check_remains(self) -> None:
        """Stop a cell that has ended but keeps more than half of the memory: what follows would have no room."""
        if own_bytes(self.states[-1].pid) > self.limits.memory_bytes // 2:
            raise Stopped(TOO_LARGE)

    def orphans(self) -> list[int]:
        """Return the processes that the student's code left running: all of the sandbox but its states."""
        states = {state.pid for state in self.states}
        found = descendants(self.init.pid) if self.init else []
        return [pid for pid in found if pid not in states and alive(pid)]

    def _waited(self) -> float:
        """Return how long the current state has waited for a processor."""
        return waited_seconds(self.states[-1].pid) if self.states else 0.0

    def _look(self, channel: socket.socket) -> None:
        """Stop a session that is dead, or has used more than its processor time or memory."""
        if not self.states:
            return
        current = self.states[-1]
        if not alive(current.pid) and not select.select([channel], [], [], 0)[0]:
            raise Stopped(DIED)
        family = [current.pid, *self.orphans()]
        if sum(map(cpu_seconds, family)) > self.most_cpu_seconds:
            raise Stopped(TOO_SLOW)
        # The quick sum counts pages that forks still share once for each of them; the slow one shares them out.
        if sum(map(own_bytes, family)) > self.most_bytes and sum(map(share_of_bytes, family)) > self.most_bytes:
            raise Stopped(TOO_LARGE)
