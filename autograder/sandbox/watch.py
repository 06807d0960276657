"""Enforcing a session's limits from outside: time, processor time and memory, of the current step and in total.

Only the time counts in which the grader waited for the student's code and the code had a processor. So a grader that is
paused, swapped out or slow, and a machine whose processors are busy with others, cost nobody a mark. Where processes of
the submission itself keep the processors busy, the time counts in full. And whatever the reason, no step and no
notebook lasts longer than `LONGEST` times its limit: then the submission is set aside and tried again alone.
"""

import select
import socket
import time

from autograder.sandbox.errors import Stopped
from autograder.sandbox.limits import DIED, TOO_LARGE, TOO_LONG, TOO_SLOW, Limits
from autograder.sandbox.processes import (
    Process,
    alive,
    cpu_seconds,
    descendants,
    private_bytes,
    proportional_bytes,
    reaped_seconds,
    resident_bytes,
    socket_bytes,
    waited_seconds,
)

# The part of its time that a step gets in a hurry.
HURRY = 0.2
# Seconds between two checks of a session that does not answer: at first, and at most.
FIRST_LOOK, LATER_LOOKS = 0.05, 0.25
# Waits of up to so many seconds are charged in full: there are hundreds, and asking the kernel how long the student's
# code had no processor takes time.
SHORT = 0.005
UNLIMITED = float("inf")
# A wait ends after so many times its limit even if the code never had a processor: two graders on one core share it
# with less loss, and what a submission cannot shape has to bound it.
LONGEST = 6


class Watch:
    """The limits of the current step, and the processes that must keep them."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self.init: Process | None = None  # the sandbox's first process
        self.states: list[Process] = []  # the last one is the current state
        self.patience = 1.0
        self.all_left = limits.total_wall_seconds  # seconds that the whole submission may still take
        self.all_lasts = LONGEST * limits.total_wall_seconds  # the same, with the time without a processor
        self.set_aside = False  # whether something lasted `LONGEST` times its limit
        self.doubts = 0  # stops that the machine may have caused
        self.begin_step()

    def stopped(self, why: str) -> Stopped:
        """Return a Stopped to raise, and count it as doubtful: no answer in time, or a dead process.

        The machine may have caused such a stop, so the attempt is repeated. Too much processor time, memory or data
        sent is certainly the code's own doing: raise `Stopped` itself.
        """
        self.doubts += 1
        return Stopped(why)

    @property
    def over(self) -> bool:
        """Whether the submission has used all its time."""
        return self.all_left <= 0 or self.all_lasts <= 0

    def begin_step(self, used: float = 0.0, patience: float = 1.0) -> None:
        """Set the limits of a new step.

        `used` are the processor seconds that its process had used before, `patience` is the part of the limits granted.
        """
        patience *= self.patience
        self._set_time(patience * self.limits.cell_wall_seconds)
        self.most_cpu_seconds = used + patience * self.limits.cell_cpu_seconds
        self.most_bytes = float(self.limits.memory_bytes)

    def begin_waking(self, seconds: float) -> None:
        """Set the limits of waking a state: only time."""
        self._set_time(seconds)
        self.most_cpu_seconds, self.most_bytes = UNLIMITED, UNLIMITED

    def _set_time(self, seconds: float) -> None:
        self.step_left, self.step_lasts = seconds, LONGEST * seconds
        self.until_look = FIRST_LOOK
        self.ready_before = self._ready_seconds()
        self.rest_before: float | None = None  # known from the first charge on
        self.others_before: float | None = None  # known from the first look on

    def wait(self, channel: socket.socket, *, writing: bool = False) -> None:
        """Wait until the session has sent, or reads. Raises: Stopped when it is dead, too slow or too large."""
        ours = [channel]

        def ready(seconds: float) -> bool:
            return any(select.select([] if writing else ours, ours if writing else [], [], seconds))

        pause, done = FIRST_LOOK, False
        while not done:
            if self.step_left <= 0 or self.step_lasts <= 0 or self.over:
                if ready(0):  # before the deadline, or while we were stopped ourselves
                    return
                self.set_aside |= self.step_lasts <= 0 or self.all_lasts <= 0
                raise self.stopped(TOO_LONG if self.over else TOO_SLOW)
            if self.until_look <= 0:
                self._look(channel)
                self.until_look = pause
            before = time.monotonic()
            done = ready(pause)
            # If the wait took longer than asked for, the grader itself was stopped or had no processor.
            waited = time.monotonic() - before
            self.until_look -= waited
            self._charge(min(waited, pause))
            pause = min(2 * pause, LATER_LOOKS)

    def _charge(self, seconds: float) -> None:
        """Charge a wait to the remaining time, minus the time in which others kept the state from running.

        That is the time in which the state was runnable but not scheduled, less the processor time that the
        submission's other processes used meanwhile.
        """
        self.step_lasts -= seconds
        self.all_lasts -= seconds
        if seconds > SHORT:
            ready, rest = self._ready_seconds(), self._rest_seconds()
            by_itself = 0.0 if self.rest_before is None else rest - self.rest_before
            seconds -= min(max(ready - self.ready_before - by_itself, 0.0), seconds)
            self.ready_before, self.rest_before = ready, rest
        self.step_left -= seconds
        self.all_left -= seconds

    def _ready_seconds(self) -> float:
        return waited_seconds(self.states[-1].pid) if self.states else 0.0

    def _rest_seconds(self) -> float:
        """Return the processor time of all processes of the submission but the current state, dead ones too."""
        return self._seconds_of(self._others()) + reaped_seconds(self.states[-1].pid) if self.states else 0.0

    def _seconds_of(self, others: list[int]) -> float:
        """Return the processor time of the processes that are no states, with those that the first one has reaped."""
        return sum(map(cpu_seconds, others)) + (reaped_seconds(self.init.pid) if self.init else 0.0)

    def check_remains(self) -> None:
        """Stop a cell that has ended but keeps more than half of the memory, which later cells will need."""
        current, most = self.states[-1].pid, self.limits.memory_bytes // 2
        if resident_bytes(current) > most:
            most += private_bytes(self.init.pid) if self.init else 0  # memory taken before the student's code ran
            if private_bytes(current) > most:
                raise Stopped(TOO_LARGE)

    def orphans(self) -> list[int]:
        """Return the processes that the student's code left running: all in the sandbox except the states."""
        return [pid for pid in self._others() if alive(pid)]

    def _others(self) -> list[int]:
        """Return all processes in the sandbox except the states and the first one; also dead ones not yet reaped."""
        states = {state.pid for state in self.states}
        return [pid for pid in (descendants(self.init.pid) if self.init else []) if pid not in states]

    def bytes_of_all(self) -> int:
        """Return the memory of all states, orphans and their sockets together; shared pages count once."""
        return self._socket_bytes() + sum(map(proportional_bytes, [*(s.pid for s in self.states), *self.orphans()]))

    def _socket_bytes(self) -> int:
        return socket_bytes(self.init.pid) if self.init else 0

    def _look(self, channel: socket.socket) -> None:
        """Raise Stopped if the session is dead or exceeds its processor time or memory."""
        if not self.states:
            return
        current = self.states[-1]
        if not alive(current.pid) and not select.select([channel], [], [], 0)[0]:
            raise self.stopped(DIED)
        others = self._others()
        of_others = self._seconds_of(others)
        if self.others_before is None:  # what they used in earlier steps, and until this first look
            self.others_before = of_others
        if cpu_seconds(current.pid) + of_others - self.others_before > self.most_cpu_seconds:
            raise Stopped(TOO_SLOW)
        orphans = list(filter(alive, others))
        if self._may_be_too_large(orphans) and self.bytes_of_all() > self.most_bytes:
            raise Stopped(TOO_LARGE)

    def _may_be_too_large(self, orphans: list[int]) -> bool:
        """Return whether an exact sum of the memory is worth its cost.

        The quick sum from /proc counts a page once for each process that shares it, so it is never too small.
        """
        quick = self._socket_bytes() + sum(map(private_bytes, [*(state.pid for state in self.states), *orphans]))
        return quick > self.most_bytes
