"""Keeping a session's limits, from outside: time, processor seconds and memory, of its current step and in all.

Only time in which we waited for the student's code counts, and of that only what it could have used: a grader that is
paused, swapped out or slow, and a machine that has no processor to spare, cost nobody a mark.
"""

import select
import socket
import time

from autograder.sandbox.errors import Stopped
from autograder.sandbox.groups import Group
from autograder.sandbox.limits import DIED, TOO_LARGE, TOO_LONG, TOO_SLOW, Limits
from autograder.sandbox.processes import (
    Process,
    alive,
    cpu_seconds,
    descendants,
    own_bytes,
    resident_bytes,
    share_of_bytes,
    socket_bytes,
    waited_seconds,
)

# The part of its time that a step gets when there is reason to be quick.
HURRY = 0.2
# Seconds between looks at a session that keeps us waiting: at first, and at most.
FIRST_LOOK, LATER_LOOKS = 0.05, 0.25
# Waits so short are charged whole: there are hundreds, and each look at what the student had of a processor takes time.
SHORT = 0.005
UNLIMITED = float("inf")


class Watch:
    """The limits of the current step, and whoever it is that must keep them."""

    def __init__(self, limits: Limits, group: Group | None = None):
        self.limits = limits
        self.group = group  # the kernel's account of its memory, where there is one
        self.init: Process | None = None  # the sandbox' first process
        self.states: list[Process] = []  # the last one is current
        self.patience = 1.0
        self.all_left = limits.total_wall_seconds  # of the submission's time
        self.doubts = 0  # stops that may have been the machine's doing
        self.begin_step()

    def doubtful(self, why: str) -> Stopped:
        """Return a Stopped, and note that it may be the machine's doing: a wait without an answer, a dead process.

        Processor seconds, memory and what was sent are the code's own doing beyond doubt.
        """
        if self.overran():
            return Stopped(TOO_LARGE)
        self.doubts += 1
        return Stopped(why)

    def know(self, init: Process) -> None:
        """Know the sandbox' first process. Where it is in no group, against our wish, /proc is asked for its memory."""
        self.init = init
        if self.group and not self.group.has(init.pid):
            self.close()

    def close(self) -> None:
        if self.group:
            self.group.close()
            self.group = None

    def overran(self) -> bool:
        """Return whether the kernel has killed a process in this step, for more memory than the submission may use."""
        return self._overruns() > self.overruns_before

    def _overruns(self) -> int:
        return self.group.overruns() if self.group else 0

    @property
    def over(self) -> bool:
        """Whether the submission's whole time is used up."""
        return self.all_left <= 0

    def begin_step(self, used: float = 0.0, patience: float = 1.0) -> None:
        """Set the limits of a step by a process that has used `used` processor seconds before."""
        patience *= self.patience
        self.step_left = patience * self.limits.cell_wall_seconds
        self.most_cpu_seconds = used + patience * self.limits.cell_cpu_seconds
        self.most_bytes = float(self.limits.memory_bytes)
        self.overruns_before = self._overruns()
        self._begin_waiting()

    def begin_waking(self, seconds: float) -> None:
        """Set the limits of a state's waking: time alone."""
        self.step_left, self.most_cpu_seconds, self.most_bytes = seconds, UNLIMITED, UNLIMITED
        self._begin_waiting()

    def _begin_waiting(self) -> None:
        self.until_look = FIRST_LOOK
        self.ready_before = self._ready_seconds()

    def wait(self, channel: socket.socket, *, writing: bool = False) -> None:
        """Wait until the session has sent, or reads. Raises: Stopped when it is dead, too slow or too large."""
        ours = [channel]

        def ready(seconds: float) -> bool:
            return any(select.select([] if writing else ours, ours if writing else [], [], seconds))

        pause, done = FIRST_LOOK, False
        while not done:
            if self.step_left <= 0 or self.over:
                if ready(0):  # before the deadline, or while we were stopped ourselves
                    return
                raise self.doubtful(TOO_LONG if self.over else TOO_SLOW)
            if self.until_look <= 0:
                self._look(channel)
                self.until_look = pause
            before = time.monotonic()
            done = ready(pause)
            # A longer wait than asked for is our own doing: we were stopped, or had no processor ourselves.
            waited = time.monotonic() - before
            self.until_look -= waited
            self._charge(min(waited, pause))
            pause = min(2 * pause, LATER_LOOKS)

    def _charge(self, seconds: float) -> None:
        """Take a wait off the time that is left, less what the state was ready to run and had no processor."""
        if seconds > SHORT:
            ready = self._ready_seconds()
            seconds -= min(max(ready - self.ready_before, 0.0), seconds)
            self.ready_before = ready
        self.step_left -= seconds
        self.all_left -= seconds

    def _ready_seconds(self) -> float:
        return waited_seconds(self.states[-1].pid) if self.states else 0.0

    def check_remains(self) -> None:
        """Stop a cell that has ended but keeps more than half of the memory: what follows would have no room."""
        current, most = self.states[-1].pid, self.limits.memory_bytes // 2
        if resident_bytes(current) > most:
            most += own_bytes(self.init.pid) if self.init else 0  # what was there before the student's code
            if own_bytes(current) > most:
                raise Stopped(TOO_LARGE)

    def orphans(self) -> list[int]:
        """Return the processes that the student's code left running: all of the sandbox but its states."""
        states = {state.pid for state in self.states}
        found = descendants(self.init.pid) if self.init else []
        return [pid for pid in found if pid not in states and alive(pid)]

    def bytes_of_all(self) -> int:
        """Return the memory of all states and orphans together, each page counted once, and of their sockets."""
        if self.group:
            return self.group.bytes()
        return self._socket_bytes() + sum(map(share_of_bytes, [*(s.pid for s in self.states), *self.orphans()]))

    def _socket_bytes(self) -> int:
        return socket_bytes(self.init.pid) if self.init else 0

    def _look(self, channel: socket.socket) -> None:
        """Stop a session that is dead, or has used more than its processor time or memory."""
        if not self.states:
            return
        current = self.states[-1]
        if not alive(current.pid) and not select.select([channel], [], [], 0)[0]:
            raise self.doubtful(DIED)
        orphans = self.orphans()
        if sum(map(cpu_seconds, [current.pid, *orphans])) > self.most_cpu_seconds:
            raise Stopped(TOO_SLOW)
        if self._may_be_too_large(orphans) and (self.overran() or self.bytes_of_all() > self.most_bytes):
            raise Stopped(TOO_LARGE)

    def _may_be_too_large(self, orphans: list[int]) -> bool:
        """Return whether it is worth asking: /proc's quick sum counts pages that forks share once for each of them."""
        if self.group:
            return self.most_bytes < UNLIMITED
        quick = self._socket_bytes() + sum(map(own_bytes, [*(state.pid for state in self.states), *orphans]))
        return quick > self.most_bytes
