"""Examining one notebook: its cells run in the sandbox, its questions are sat, the verdicts computed here.

A run is a function from a notebook (already taken in, see `intake/notebook.py`) to a `Result`; nothing else of
the course goes in or comes out, so any process, on any machine, may do it.
"""

import time
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
from nbformat import NotebookNode

from autograder.common.errors import SandboxLost
from autograder.examine import unsafe
from autograder.examine.outputs import Output, Outputs, error_output, exception_of
from autograder.examine.result import Result, verdict_to_json
from autograder.examine.sitting import sit
from autograder.examine.work import Entries, Work
from autograder.lesson.text import Lesson
from autograder.sandbox.errors import Stopped
from autograder.sandbox.inside import light_torch
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.processes import out_of_memory_kills
from autograder.sandbox.session import Session
from utils.checks.engine.question import note_end

UNSURE = (
    "The notebook was stopped in each of three tries, each time at another place or while this computer ran out of "
    "memory, so that it has no mark. Run the same command again, with fewer --jobs, or look at the notebook."
)

# Sandboxes in a row that somebody else ends (an out-of-memory killer, a person), after which this computer is no use.
TRIES = 3


class Results(Protocol):
    """Where entries are kept, see `store.py`."""

    def get(self, key: str) -> Any | None: ...

    def put(self, key: str, entry: Any) -> None: ...


def examine(notebook: NotebookNode, lesson: Lesson, sandbox: Sandbox | None, store: Results | None = None) -> Result:
    """Grade a notebook that intake has passed; what the store has is not computed again.

    Without a sandbox the notebook's code runs in this process, see `unsafe.py`. Raises: SandboxLost for a notebook that
    was stopped each time elsewhere, which is no mark.
    """
    started = time.monotonic()
    work = Work(notebook, lesson, sandbox.limits if sandbox else None)
    entries = {key: store.get(key) if store else None for key in work.keys}
    if missing := {key for key, entry in entries.items() if entry is None}:
        attempt = run(work, sandbox, missing)
        if not attempt.sure:
            raise SandboxLost(UNSURE)
        entries |= attempt.entries
        if store:
            for key, entry in attempt.entries.items():
                store.put(key, entry)
    result = work.result(entries)
    result.seconds = time.monotonic() - started
    return result


@dataclass(frozen=True)
class Attempt:
    """What one run of a notebook gave."""

    entries: Entries
    stopped_at: frozenset[str]  # cells and questions, and those at which what had been made before was lost
    whole: bool = False  # whether it came to the notebook's end
    sure: bool = False  # whether all stops were surely the code's own doing: only then it is worth keeping


def run(work: Work, sandbox: Sandbox | None, wanted: set[str]) -> Attempt:
    """Run the cells in a fresh sandbox and sit the questions whose keys are wanted.

    A stop that may have been the machine's doing (a pause, a killed process) is believed only when it happens
    again, in another sandbox. Where each try is stopped elsewhere none is believed, nor where this computer ran out of
    memory meanwhile: its kernel may have killed the same process each time. Raises: SandboxLost.
    """
    torch.set_num_threads(1)  # a second one is no help with an exam's few numbers, and beside a sandbox costs thrice
    if sandbox is None:
        return Attempt(unsafe.run(work, wanted), frozenset(), whole=True, sure=True)
    killed = out_of_memory_kills()
    quick = _try(work, sandbox, wanted, careful=False)
    if quick.whole and quick.sure:
        return quick
    careful = _try(work, sandbox, wanted, careful=True)  # rare: now there is a state to go back to
    if careful.sure or (careful.stopped_at <= quick.stopped_at and out_of_memory_kills() == killed):
        return replace(careful, sure=True)
    sandbox.close()  # the parent may be what ails; the next session starts another
    again = _try(work, sandbox, wanted, careful=True)
    best, other = sorted((again, careful), key=lambda attempt: len(attempt.stopped_at))
    again_there = best.stopped_at <= other.stopped_at | quick.stopped_at and out_of_memory_kills() == killed
    return replace(best, sure=best.sure or again_there)


def _try(work: Work, sandbox: Sandbox, wanted: set[str], *, careful: bool) -> Attempt:
    """Run all cells in a sandbox that nobody else ends. Raises: SandboxLost."""
    for _ in range(TRIES):
        if attempt := _run(work, sandbox, wanted, careful=careful):
            return attempt
    raise SandboxLost(f"Sandboxes are ended from outside, {TRIES} in a row; is this computer short of memory?")


def _run(work: Work, sandbox: Sandbox, wanted: set[str], *, careful: bool) -> Attempt | None:
    """Run all cells: carefully, with a fork before each; or quickly, and give up at the first that is stopped.

    Quickly, the last question is sat without a fork, too. None when the sandbox was ended from outside.
    """
    light_torch.leave_compiler_unloaded()  # an exam's reference trains, too
    entries: Entries = {}
    outputs: dict[str, list[Output]] = {}
    shown = Outputs()
    flags: list[str] = []
    stopped_at: set[str] = set()
    failed: dict[str, str] = {}  # what a cell was to define, and the exception that ended it
    # What its exam does to the student's objects meets nobody; so it needs no fork, while nothing goes wrong.
    in_place_at = None if careful else work.last_question()
    arrivals = light_torch.Arrivals()
    started = time.monotonic()
    with sandbox.session(work.language) as session:
        for cell in work.cells:
            question = work.question_of(cell)
            if question:
                if work.questions[question] in wanted:
                    in_place = question == in_place_at
                    sat = sit(session, work.lesson, question, work.seed, failed, in_place=in_place)
                    sandbox.needs += arrivals.new()  # up to 0.4 s, in each session anew
                    entries[work.questions[question]] = [verdict_to_json(verdict) for verdict in sat.verdicts]
                    flags += sat.flags
                    stopped_at |= ({question} if sat.stops else set()) | _losses(session, cell.id)
                    if not careful and (session.ended or (in_place and sat.stops)):
                        return None if session.ended_from_outside else Attempt({}, frozenset(stopped_at))
                continue
            if not work.is_run(cell):
                continue
            run = session.run_cell if careful else session.run_in_place
            try:
                reply = run(cell.source, cell.id)
                sandbox.need(reply.get("loaded"))
                outputs[cell.id] = shown.of_cell(reply.get("outputs"))
                ended_by = exception_of(outputs[cell.id])
                note_end(failed, cell.source, ended_by)
                if ended_by.startswith(("ImportError", "ModuleNotFoundError")):
                    flags.append(f"cell {cell.id} imports what is not here: {ended_by}")
            except Stopped as why:
                stopped_at.add(cell.id)
                if not careful:
                    return None if session.ended_from_outside else Attempt({}, frozenset(stopped_at))
                outputs[cell.id] = [error_output("Stopped", str(why))]
                flags.append(f"cell {cell.id}: {why}")
            stopped_at |= _losses(session, cell.id)
        if shown.left_out:
            flags.append(f"{shown.left_out} picture(s) left out: all together were too large to show")
        if session.states.orphans_ended:
            flags.append(f"{session.states.orphans_ended} process(es) left running were ended")
        cost = {"seconds": time.monotonic() - started, "cpu_seconds": session.cpu_seconds}
    if session.ended_from_outside:
        return None
    entries[work.cells_key] = {"outputs": outputs, "stopped": flags, **cost}
    return Attempt(entries, frozenset(stopped_at), whole=True, sure=session.watch.doubts == 0)


def _losses(session: Session, place: str) -> set[str]:
    """Return the name of a stop by which work of the cells before a place was lost; nothing where none was.

    The code below such a loss fails for want of names, and nothing in it looks like a stop.
    """
    lost, session.states.lost = session.states.lost, 0
    return {f"lost at {place}"} if lost else set()
