"""The chain of states, each forked from the one before, the last one current; going back to an earlier one.

A state is a process forked before a step: the notebook's memory at that point, to go back to.
"""

import signal
import time
from typing import Any

from autograder.sandbox.channel import Channel
from autograder.sandbox.errors import Stopped
from autograder.sandbox.inside.operations import Announcement
from autograder.sandbox.inside.wire import Tensors
from autograder.sandbox.limits import DIED, TOO_LONG
from autograder.sandbox.processes import Process, alive, children, pid_namespace
from autograder.sandbox.watch import Watch

# How often, and how many seconds each time, to wait for a state to wake, which takes milliseconds. Tries are counted
# instead of one long wait, so that a pause of the grader costs the student none.
TRIES, EACH_TRY = 20, 0.25
# Seconds in which the kernel ends a sandbox whose first process was killed: first all its other processes, on a busy
# machine more than a quarter of a second.
ENDING = 2.0
# Rounds of a millisecond in which all orphans must be killed; a fork bomb survives one or two.
ROUNDS = 2000
# States that are kept: the first, the current one, and some to go back to. Each counts as the submission's memory.
MOST_STATES = 4


class States:
    """A session's processes: the sandbox's first process (pid 1), and its states."""

    def __init__(self, channel: Channel, watch: Watch):
        self.channel = channel
        self.watch = watch
        self.ended = False
        self.ended_from_outside = False  # certainly, because nothing inside can kill the first process of its namespace
        self.orphans_ended = 0
        self.lost = 0  # states that were killed, together with everything that their cells had made
        watch.begin_step()
        self.init = Process(channel.announced(Announcement.INIT))
        watch.init = self.init
        self.chain = watch.states
        for _ in range(ROUNDS):
            if first_states := children(self.init.pid):  # the first process announces itself before it forks
                break
            time.sleep(0.001)
        self.chain += [Process(pid) for pid in first_states[:1]]

    @property
    def current(self) -> Process:
        """The last state. Raises: Stopped when all are dead, as after a kill from outside between two requests."""
        if not self.chain:
            raise self.watch.stopped(DIED)
        return self.chain[-1]

    def fork(self, request: dict[str, Any], tensors: Tensors | None = None) -> int:
        """Have the current state fork, and the child take the request; return the number of states before.

        If a state is dead or does not answer, the one before it becomes the current one. Raises: Stopped.
        """
        while True:
            depth = len(self.chain)
            try:
                return self._fork_once(request, tensors)
            except Stopped:  # `back_to` has dropped the current state if it did not wake: then try from the one before
                if self.ended or len(self.chain) == depth:
                    raise

    def _fork_once(self, request: dict[str, Any], tensors: Tensors | None) -> int:
        if self.watch.over:
            self.end()
        if self.ended:
            raise self.watch.stopped(TOO_LONG)
        self._make_room()
        depth = len(self.chain)
        self.watch.begin_step()
        self.channel.send(request, tensors)
        try:
            child = Process(self.channel.announced(Announcement.STARTED))
            if not self._is_forked(child):  # a thread announced itself, or the child has died
                child.close()
                raise self.watch.stopped(DIED)
        except Stopped:
            self.back_to(depth)
            raise
        self.current.signal(signal.SIGSTOP)  # with its threads, because only the child may work now
        self.chain.append(child)
        return depth

    def _is_forked(self, child: Process) -> bool:
        """Return whether the current state forked a process.

        If the process has killed the current state already, the first process has adopted it.
        """
        if child.pid in children(self.current.pid):
            return True
        return not alive(self.current.pid) and child.pid in children(self.init.pid)

    def _make_room(self) -> None:
        """End states kept to go back to, the oldest first, if there are too many or they leave the next step little
        memory.

        The first state, which holds nothing of the student's, and the current one stay.
        """
        half = self.watch.limits.memory_bytes // 2
        while len(self.chain) > 2 and (len(self.chain) >= MOST_STATES or self.watch.bytes_of_all() > half):
            self.chain.pop(1).end()

    def back_to(self, depth: int) -> None:
        """Kill all states but the first `depth`, and wake the last that stays; end the session if none answers."""
        self.end_orphans()
        while len(self.chain) > depth:
            self.chain.pop().end()
        while self.chain and not self.ended:
            self.channel.drain()
            self.current.signal(signal.SIGUSR1)
            self.current.signal(signal.SIGCONT)
            if self._resumed():
                return
            self.chain.pop().end()  # this state had been killed, too, so one more cell is lost
            self.lost += 1
        if not self.ended:  # all states are dead: did their code end them, or was the whole sandbox killed?
            self.ended_from_outside = self.init.ends_within(ENDING)
        self.end()

    def _resumed(self) -> bool:
        """Return whether the current state has woken."""
        doubts = self.watch.doubts
        for _ in range(TRIES):
            self.watch.begin_waking(EACH_TRY)
            try:
                header, _ = self.channel.receive()
                if header.get(Announcement.RESUMED.value) is True:
                    self.watch.doubts = doubts
                    return True
            except Stopped:
                if not alive(self.current.pid):
                    return False
                self.end_orphans()  # the state may have obeyed a late request to fork
        return False

    def end_orphans(self) -> None:
        """Kill processes that a cell left behind."""
        killed: set[int] = set()
        rounds = 0
        while orphans := self.watch.orphans():
            killed.update(orphans)
            rounds += 1
            held = [Process(pid) for pid in orphans]
            # All are stopped before any is killed, so that none forks meanwhile. The namespace is compared because a
            # process may have ended since, and its number may belong to a process outside the sandbox.
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for process in held:
                    if pid_namespace(process.pid) == pid_namespace(self.init.pid):
                        process.signal(number)
            for process in held:
                process.close()
            if rounds > ROUNDS:  # the orphans fork faster than they can be killed
                self.end()
                break
            time.sleep(0.001)
        self.orphans_ended += len(killed)

    def end(self) -> None:
        """End the sandbox early; every further request raises Stopped."""
        self.ended = True
        self.init.end()

    def close(self) -> None:
        """End all processes of this session: the kernel ends them with the first process of their namespace."""
        self.ended = True
        self.init.signal(signal.SIGKILL)
        for process in (self.init, *self.chain):
            process.close()
