"""One submission's sandbox, as the examiner uses it: run cells, open questions, ask for values."""

import contextlib
import itertools
import socket
from collections.abc import Iterator
from typing import Any

from autograder.sandbox.channel import Channel
from autograder.sandbox.errors import RemoteError, Stopped
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.operations import Request, Step
from autograder.sandbox.limits import DIED, TOO_MUCH, Limits
from autograder.sandbox.states import States
from autograder.sandbox.watch import HURRY, Watch
from utils.checks.engine.failure import NOTHING_RETURNED, STOPPED, Failure
from utils.common.printable import printable

# Operations, and numbers in their tensors, that are noted at most before they are sent.
MOST_STEPS, MOST_NUMBERS = 100, 2**20
# Characters of a failure that a sandbox reports: its kind, its text, the line of code.
MOST_KIND, MOST_TEXT, MOST_WHERE = 100, 300, 120


class Session:
    """A submission's sandbox, from its first cell to its last question. Use as a context manager."""

    def __init__(self, end: socket.socket, limits: Limits):
        self.watch = Watch(limits)
        self.channel = Channel(end, self.watch)
        self.cpu_seconds = 0.0
        self.refs = 0  # objects that the examiner holds, by number
        self.noted: list[dict[str, Any]] = []  # operations that the next request will send
        self.tensors: wire.Tensors = {}  # the tensors of these operations
        self.numbers = 0  # how many numbers these tensors hold
        self.on_gpu = False  # whether operations are done with a (pretended) GPU
        self.states = States(self.channel, self.watch)
        self.left = wire.Budget(values=wire.VALUES)  # of all values that the session sends
        self.ran: list[str] = []  # the texts of the cells that came to their end, by an exception or without

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    @property
    def ended(self) -> bool:
        """Whether the sandbox was ended early; every further request then raises Stopped."""
        return self.states.ended

    @property
    def ended_from_outside(self) -> bool:
        """Whether something outside certainly ended the sandbox, so that nothing seen in it counts."""
        return self.states.ended_from_outside

    def hurry(self, hurry: bool = True) -> None:
        """Give each step only a fifth of its time from now on; with False, all of it again."""
        self.watch.patience = HURRY if hurry else 1.0

    def run_in_place(self, source: str, name: str) -> dict[str, Any]:
        """Run a cell in the current state itself, within a fifth of the usual time.

        Raises: Stopped when it does not answer or leaves processes running; the session is then of no more use.
        """
        with self._in_current(patience=HURRY):
            self.channel.send({"op": Request.CELL_IN_PLACE.value, "source": source, "name": name})
            reply, _ = self.channel.receive()
            self.watch.check_remains()
            if self.watch.orphans():
                raise Stopped(DIED)
        self.ran.append(source)
        return reply

    def run_cell(self, source: str, name: str) -> dict[str, Any]:
        """Run a cell in a child state, which becomes the current one. Raises: Stopped; the parent is then current."""
        depth = self.states.fork({"op": Request.CELL.value, "source": source, "name": name})
        try:
            reply, _ = self.channel.receive()
            self.watch.check_remains()
        except Stopped:
            self.states.back_to(depth)
            raise
        self.states.end_orphans()
        self.cpu_seconds += self.states.current.cpu_seconds()
        self.ran.append(source)
        return reply

    @contextlib.contextmanager
    def question(self) -> Iterator[None]:
        """Fork a state for one question; the block's requests run there, and the fork ends with the block.

        The operations noted before the block run there first. Raises: RemoteError, Stopped.
        """
        steps, tensors = self.noted, self.tensors
        self.drop_deferred()
        depth = self.states.fork({"op": Request.QUESTION.value, "steps": steps}, tensors)
        try:
            if steps:
                self._answer()
            yield
        finally:
            self.cpu_seconds += self.states.current.cpu_seconds()
            self.states.back_to(depth)

    @contextlib.contextmanager
    def _in_current(self, patience: float = 1.0) -> Iterator[None]:
        """Make the block one step of the current state: set the limits, and count the processor time used."""
        current = self.states.current
        used = current.cpu_seconds()
        self.watch.begin_step(used, patience)
        try:
            yield
        finally:
            self.cpu_seconds += max(current.cpu_seconds() - used, 0.0)

    def defer(self, step: Step, *, args: Any = None, **fields: Any) -> wire.Ref:
        """Note an operation that will be done before the next request; return the reference to its result.

        A test does many operations for each value that it needs, and all of them cross in one frame.
        """
        ref = self._note(step, args, fields)
        if len(self.noted) > MOST_STEPS or self.numbers > MOST_NUMBERS:
            self.run_deferred()
        return ref

    def request(self, step: Step, *, args: Any = None, **fields: Any) -> Any:
        """Do the noted operations and one more in the current state; return its plain value or a `wire.Ref`.

        Raises: RemoteError when the student's code raised, Stopped when it did not answer.
        """
        self._note(step, args, fields)
        return self.run_deferred()

    def _note(self, step: Step, args: Any, fields: dict[str, Any]) -> wire.Ref:
        self.refs += 1
        where = {"gpu": True} if self.on_gpu else {}
        before = len(self.tensors)
        self.noted.append({"op": step.value, "args": wire.pack(args, self.tensors), "as": self.refs, **where, **fields})
        self.numbers += sum(tensor.numel() for tensor in itertools.islice(self.tensors.values(), before, None))
        return wire.Ref(self.refs)

    def run_deferred(self) -> Any:
        """Do the noted operations; return the last one's value or Ref, or None when nothing was noted.

        Raises: RemoteError, Stopped.
        """
        steps, tensors = self.noted, self.tensors
        if not steps:
            return None
        self.drop_deferred()
        self.channel.send({"op": Request.STEPS.value, "steps": steps}, tensors)
        return self._answer()

    def _answer(self) -> Any:
        reply, tensors = self.channel.receive()
        if "failure" in reply:
            raise RemoteError(failure_from(reply["failure"]))
        try:
            return wire.unpack(reply["value"], tensors, of_all=self.left)
        except (wire.WireError, KeyError):
            raise Stopped(TOO_MUCH) from None

    def drop_deferred(self) -> None:
        """Drop the noted operations."""
        self.noted, self.tensors, self.numbers = [], {}, 0

    def close(self) -> None:
        self.states.close()
        self.channel.close()


def failure_from(parts: Any) -> Failure:
    """Return the failure that a sandbox reported, as bounded text.

    A sandbox cannot report the kinds that only the grader may state (stopped, nothing returned).
    """
    if not isinstance(parts, list) or len(parts) != 3 or not all(isinstance(part, str) for part in parts):
        return Failure("Error", "")
    kind, text, where = (printable(part) for part in parts)
    if kind in (STOPPED, NOTHING_RETURNED):
        kind = f"the notebook's {kind}"
    return Failure(kind[:MOST_KIND], text[:MOST_TEXT], where[:MOST_WHERE])
