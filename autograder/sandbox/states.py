"""The chain of states: each forked from the one before, the last one current, and the way back when one is spoilt."""

import signal
import time
from typing import Any

from autograder.sandbox.channel import Channel
from autograder.sandbox.inside.operations import Announcement
from autograder.sandbox.limits import DIED, TOO_LONG, Stopped
from autograder.sandbox.processes import Process, alive, children, pid_namespace
from autograder.sandbox.watch import Watch

# Seconds: for what takes milliseconds, on a busy machine.
WAKING, EACH_TRY = 5.0, 0.25
# Seconds in which orphans must be killed; a bomb goes on forking for a round or two.
KILLING = 2.0


class States:
    """A session's processes: the sandbox' first one, and its states."""

    def __init__(self, channel: Channel, watch: Watch):
        self.channel = channel
        self.watch = watch
        self.ended = False
        self.orphans_ended = 0
        watch.begin_step()
        self.init = watch.init = Process(channel.announced(Announcement.INIT))
        self.chain = watch.states
        end = time.monotonic() + WAKING
        while not (found := children(self.init.pid)) and time.monotonic() < end:
            time.sleep(0.001)
        self.chain += [Process(pid) for pid in found[:1]]

    @property
    def current(self) -> Process:
        return self.chain[-1]

    def fork(self, request: dict[str, Any]) -> int:
        """Have the current state fork and its child take the request; return how many states there were before.

        A state that is dead or does not listen is given up for the one before it. Raises: Stopped.
        """
        while True:
            depth = len(self.chain)
            try:
                return self._fork_once(request)
            except Stopped:
                if self.ended or len(self.chain) == depth:
                    raise

    def _fork_once(self, request: dict[str, Any]) -> int:
        if self.watch.over:
            self.end()
        if self.ended:
            raise Stopped(TOO_LONG)
        depth = len(self.chain)
        self.watch.begin_step()
        self.channel.send(request, None, self.watch.seconds_left)
        try:
            child = Process(self.channel.announced(Announcement.STARTED))
            if child.pid not in children(self.current.pid):  # said by a thread, or by who is dead by now
                child.close()
                raise Stopped(DIED)
        except Stopped:
            self.back_to(depth)
            raise
        self.current.signal(signal.SIGSTOP)  # its threads too: only the child may work now
        self.chain.append(child)
        return depth

    def back_to(self, depth: int) -> None:
        """Kill the states after `depth` and wake the one that stays; end the session if none answers."""
        self.end_orphans()
        while len(self.chain) > depth:
            self.chain.pop().end()
        while self.chain and not self.ended:
            self.channel.drain()
            self.current.signal(signal.SIGUSR1)
            self.current.signal(signal.SIGCONT)
            if self._resumed():
                return
            self.chain.pop().end()  # it had been killed as well: one more cell is lost
        self.end()

    def _resumed(self) -> bool:
        """Return whether the current state has woken."""
        end = time.monotonic() + WAKING
        while time.monotonic() < end:
            self.watch.begin_waking(EACH_TRY)
            try:
                header, _ = self.channel.receive()
                if header.get(Announcement.RESUMED.value) is True:
                    return True
            except Stopped:
                if not alive(self.current.pid):
                    return False
                self.end_orphans()  # it may have obeyed an order to fork that came too late
        return False

    def end_orphans(self) -> None:
        """Kill processes that a cell left behind."""
        found: set[int] = set()
        end = time.monotonic() + KILLING
        while orphans := self.watch.orphans():
            found.update(orphans)
            held = [Process(pid) for pid in orphans]
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for process in held:
                    if pid_namespace(process.pid) == pid_namespace(self.init.pid):
                        process.signal(number)
            for process in held:
                process.close()
            if time.monotonic() > end:  # faster than we are
                self.end()
                break
            time.sleep(0.001)
        self.orphans_ended += len(found)

    def end(self) -> None:
        """End the sandbox before its time: what is still asked of it is answered by Stopped."""
        self.ended = True
        self.init.end()

    def close(self) -> None:
        """End every process of this session: they go with the first process of their namespace."""
        self.ended = True
        self.init.signal(signal.SIGKILL)
        for process in (self.init, *self.chain):
            process.close()
