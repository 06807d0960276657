"""Examining one notebook: its cells run in the sandbox, its exams are run on them, verdicts are computed here.

Examining is a function from a notebook that intake has passed (`intake/notebook.py`) to a `Result`. It depends on
nothing else of the course, so any process on any machine can do it.
"""

import time
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
from nbformat import NotebookNode

from autograder.common.errors import SandboxLost
from autograder.examine.exam_run import Patience, run_exam
from autograder.examine.newer_python import HERE, needed_python
from autograder.examine.outputs import Output, Outputs, error_output, exception_of
from autograder.examine.result import Result, verdict_to_json
from autograder.examine.work import Entries, Work
from autograder.lesson.text import Lesson
from autograder.sandbox.errors import Stopped
from autograder.sandbox.inside import light_torch
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.processes import out_of_memory_kills
from autograder.sandbox.session import Session
from utils.checks.engine.failure import NEEDS_PYTHON
from utils.checks.engine.question import note_end
from utils.common.messages import N_
from utils.common.printable import printable

UNSURE = N_(
    "The notebook was stopped in each of three tries, each time at a different place or while this "
    "computer ran out of memory, so it has no mark. Run the same command again with fewer --jobs, or look "
    "at the notebook."
)

MISSING = N_("imports a missing package")
# After so many sandboxes in a row that were ended from outside (by an out-of-memory killer, a person), give up.
TRIES = 3


class Results(Protocol):
    """A place that keeps entries, see `store.py`."""

    def get(self, key: str) -> Any | None: ...

    def put(self, key: str, entry: Any) -> None: ...


def examine(
    notebook: NotebookNode, lesson: Lesson, sandbox: Sandbox, store: Results | None = None, secret: str = ""
) -> Result:
    """Grade a notebook that intake has passed; entries that the store has are not computed again.

    `secret` is the course's (`gradebook/secret.py`). Raises: SandboxLost for a notebook that was stopped at another
    place in each try, so that it gets no mark.
    """
    started = time.monotonic()
    work = Work(notebook, lesson, sandbox.limits, secret)
    entries = work.stored(store.get if store else lambda _key: None)
    if missing := {key for key, entry in entries.items() if entry is None}:
        attempt = run(work, sandbox, missing, alone=True)
        if not attempt.sure:
            raise SandboxLost(UNSURE)
        entries |= attempt.entries
        if store:
            for key, entry in attempt.entries.items():
                store.put(key, entry)
    result = work.result(entries)
    if missing:  # else the time that the stored run took
        result.seconds = time.monotonic() - started
    return result


@dataclass(frozen=True)
class Attempt:
    """The outcome of one run of a notebook."""

    entries: Entries
    stopped_at: frozenset[str]  # cells and questions that were stopped, and those at which earlier work was lost
    complete: bool = False  # whether the run came to the notebook's end
    sure: bool = False  # whether every stop was certainly the code's own doing; only then the entries may be stored
    set_aside: bool = False  # whether a step or the notebook lasted longer than any may, see `sandbox/watch.py`
    exposed: frozenset[str] = frozenset()  # cells that showed something after a question had been examined


def run(work: Work, sandbox: Sandbox, wanted: set[str], *, alone: bool = False) -> Attempt:
    """Run a notebook's cells in a fresh sandbox, and the exams of the questions whose keys are wanted.

    `alone` says that no other notebook of the class is examined meanwhile. Else a notebook that lasts longer than any
    may is set aside after one run, so that it cannot block the class: the caller tries it again, alone, at the end.

    The first run makes no checkpoint, a fork before each cell to go back to: checkpoints would make an honest
    notebook's examination half as expensive again (measured: 0.34 CPU-s instead of 0.22). If a cell has to be stopped,
    the notebook is run again with checkpoints, so that the stop costs this cell alone.

    A stop that may have been the machine's doing (a pause, a killed process) is believed only if it happens again in
    another sandbox. If each run was stopped at a different place, or the computer ran out of memory meanwhile, no stop
    is believed: the kernel may have killed the same process each time. Raises: SandboxLost.
    """
    torch.set_num_threads(1)  # an exam's tensors are small, and a second thread beside a busy sandbox costs thrice
    killed = out_of_memory_kills()
    first = _attempt(work, sandbox, wanted, checkpoints=False)
    if (first.complete and first.sure) or (first.set_aside and not alone):
        return first
    second = _attempt(work, sandbox, wanted, checkpoints=True)
    if second.set_aside and not alone:
        return second
    if second.sure or (second.stopped_at <= first.stopped_at and out_of_memory_kills() == killed):
        return replace(second, sure=True)
    sandbox.close()  # the fault may be the parent's; the next session starts another one
    third = _attempt(work, sandbox, wanted, checkpoints=True)
    best, other = sorted((third, second), key=lambda attempt: len(attempt.stopped_at))
    repeated = best.stopped_at <= other.stopped_at | first.stopped_at and out_of_memory_kills() == killed
    return replace(best, sure=best.sure or repeated)


def _attempt(work: Work, sandbox: Sandbox, wanted: set[str], *, checkpoints: bool) -> Attempt:
    """Run a notebook; a sandbox that is ended from outside is replaced by another. Raises: SandboxLost."""
    light_torch.leave_compiler_unloaded()  # the reference's training would load it here, too
    for _ in range(TRIES):
        if attempt := _run_once(work, sandbox, wanted, checkpoints=checkpoints):
            return _shown_apart(attempt, work, sandbox, checkpoints=checkpoints)
    raise SandboxLost(
        "Something outside ended {number} sandboxes in a row; is this computer short of memory?", number=TRIES
    )


def _run_once(work: Work, sandbox: Sandbox, wanted: set[str], *, checkpoints: bool) -> Attempt | None:
    """Run a notebook in one sandbox; None when that was ended from outside."""
    arrivals = light_torch.Arrivals()
    with sandbox.session(work.language) as session:
        attempt = NotebookRun(work, sandbox, session, wanted, checkpoints=checkpoints).run()
    sandbox.needs += arrivals.new()  # loading these modules takes up to 0.4 s, else in each session again
    return None if session.ended_from_outside else attempt


def _shown_apart(attempt: Attempt, work: Work, sandbox: Sandbox, *, checkpoints: bool) -> Attempt:
    """Replace what cells showed after a question by what they show in a session in which no question is examined.

    Code that is examined knows the inputs of hidden tests. It can leave them to cells below in a file, a pipe, shared
    memory or an open connection, and these cells could print them into the feedback. Few notebooks need this second
    run, because few cells below the first question show anything.
    """
    if not attempt.exposed:
        return attempt
    apart = _run_once(work, sandbox, set(), checkpoints=checkpoints)
    ran: dict[str, Any] = attempt.entries[work.cells_key]
    cells: dict[str, Any] = {"outputs": {}, "cpu_seconds": 0.0}
    if apart and apart.complete:
        cells = apart.entries[work.cells_key]
    shown = ran["outputs"] | {cell: cells["outputs"].get(cell, []) for cell in attempt.exposed}
    cost = ran["cpu_seconds"] + cells["cpu_seconds"]
    return replace(attempt, entries=attempt.entries | {work.cells_key: ran | {"outputs": shown, "cpu_seconds": cost}})


class NotebookRun:
    """One run of a notebook's cells and exams in a session."""

    def __init__(self, work: Work, sandbox: Sandbox, session: Session, wanted: set[str], *, checkpoints: bool):
        self.work = work
        self.sandbox = sandbox
        self.session = session
        self.wanted = wanted
        self.run_cell = session.run_cell if checkpoints else session.run_in_place
        self.checkpoints = checkpoints
        self.entries: Entries = {}
        self.outputs: dict[str, list[Output]] = {}
        self.shown = Outputs()
        self.flags: list[str] = []
        self.stopped_at: set[str] = set()
        self.patience = Patience()
        self.examined = False  # whether a question has been examined in this session
        self.exposed: set[str] = set()
        self.failed: dict[str, str] = {}  # name that a cell was to define -> the exception that ended the cell

    def run(self) -> Attempt:
        """Run everything; without checkpoints, give up at the first cell that is stopped."""
        started = time.monotonic()
        for cell in self.work.cells:
            question = self.work.question_of(cell)
            if question and self.work.questions[question] in self.wanted:
                self._run_exam(question)
            elif not question and self.work.is_run(cell):
                self._run_cell(cell)
            self._note_losses(cell.id)
            if not self.checkpoints and (self.session.ended or cell.id in self.stopped_at):
                return Attempt({}, frozenset(self.stopped_at), set_aside=self.session.watch.set_aside)
        if self.shown.left_out:
            self.flags.append(f"{self.shown.left_out} picture(s) left out: all together were too large to show")
        if self.session.states.orphans_ended:
            self.flags.append(f"{self.session.states.orphans_ended} process(es) left running were ended")
        cost = {"seconds": time.monotonic() - started, "cpu_seconds": self.session.cpu_seconds}
        self.entries[self.work.cells_key] = {"outputs": self.outputs, "stopped": self.flags, **cost}
        watch, stopped_at, exposed = self.session.watch, frozenset(self.stopped_at), frozenset(self.exposed)
        sure = watch.doubts == 0
        return Attempt(self.entries, stopped_at, complete=True, sure=sure, set_aside=watch.set_aside, exposed=exposed)

    def _run_exam(self, question: str) -> None:
        self.examined = True
        outcome = run_exam(self.session, self.work.lesson, question, self.work.seed, self.failed, self.patience)
        self.entries[self.work.questions[question]] = [verdict_to_json(verdict) for verdict in outcome.verdicts]
        self.flags += outcome.flags
        if outcome.stops:
            self.stopped_at.add(question)

    def _run_cell(self, cell: NotebookNode) -> None:
        try:
            reply = self.run_cell(cell.source, cell.id)
        except Stopped as why:
            self.stopped_at.add(cell.id)
            self.outputs[cell.id] = [error_output("Stopped", str(why))]
            self.flags.append(f"cell {cell.id}: {why}")
            return
        self.sandbox.need(reply.get("loaded"))
        self.outputs[cell.id] = self.shown.of_cell(reply.get("outputs"))
        if self.examined and self.outputs[cell.id]:
            self.exposed.add(cell.id)
        exception = exception_of(self.outputs[cell.id])
        if needed := needed_python(cell.source, exception):
            exception += f"; {NEEDS_PYTHON} {needed}"
            self.flags.append(f"cell {cell.id} {NEEDS_PYTHON} {needed}, and this one is {HERE}")
        note_end(self.failed, cell.source, exception)
        if exception.startswith(("ImportError", "ModuleNotFoundError")):
            self.flags.append(printable(f"cell {cell.id} {MISSING}: {exception}"))

    def _note_losses(self, place: str) -> None:
        """Note where earlier cells' work was lost with a killed state.

        The code below such a loss fails because names are missing, and nothing in it looks like a stop.
        """
        if self.session.states.lost:
            self.stopped_at.add(f"lost at {place}")
            self.session.states.lost = 0
