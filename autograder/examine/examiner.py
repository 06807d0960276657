"""Examining one notebook: its cells run in the sandbox, its questions are sat, the verdicts computed here.

A run is a function from a notebook (already taken in, see `intake/notebook.py`) to a `Result`; nothing else of
the course goes in or comes out, so any process, on any machine, may do it.
"""

import time
from dataclasses import dataclass
from typing import Any, Protocol

from nbformat import NotebookNode

from autograder.examine import unsafe
from autograder.examine.outputs import Output, Outputs, error_output, exception_of
from autograder.examine.result import Result, verdict_to_json
from autograder.examine.sitting import sit
from autograder.examine.work import Entries, Work
from autograder.lesson.text import Lesson
from autograder.sandbox.inside import compat
from autograder.sandbox.limits import Stopped
from autograder.sandbox.parent import Sandbox
from utils.checks.question import defined_by


class Results(Protocol):
    """Where entries are kept, see `store.py`."""

    def get(self, key: str) -> Any | None: ...

    def put(self, key: str, entry: Any) -> None: ...


def examine(notebook: NotebookNode, lesson: Lesson, sandbox: Sandbox | None, store: Results | None = None) -> Result:
    """Grade a notebook that intake has passed; what the store has is not computed again.

    Without a sandbox the notebook's code runs in this process, see `unsafe.py`.
    """
    started = time.monotonic()
    work = Work(notebook, lesson, sandbox.limits if sandbox else None)
    entries = {key: store.get(key) if store else None for key in work.keys}
    if missing := {key for key, entry in entries.items() if entry is None}:
        computed = run(work, sandbox, missing)
        entries |= computed
        if store:
            for key, entry in computed.items():
                store.put(key, entry)
    result = work.result(entries)
    result.seconds = time.monotonic() - started
    return result


@dataclass(frozen=True)
class Attempt:
    """What one run of a notebook gave."""

    entries: Entries
    stopped_at: frozenset[str]  # cells and questions
    whole: bool  # whether it came to the notebook's end
    sure: bool  # whether all stops were surely the code's own doing


def run(work: Work, sandbox: Sandbox | None, wanted: set[str]) -> Entries:
    """Run the cells in a fresh sandbox and sit the questions whose keys are wanted.

    A stop that may have been the machine's doing (a pause, a killed process) is believed only when it happens
    again, in another sandbox.
    """
    if sandbox is None:
        return unsafe.run(work, wanted)
    quick = _run(work, sandbox, wanted, careful=False)
    if quick.whole and quick.sure:
        return quick.entries
    careful = _run(work, sandbox, wanted, careful=True)  # rare: now there is a state to go back to
    if careful.sure or careful.stopped_at <= quick.stopped_at:
        return careful.entries
    sandbox.close()  # the parent may be what ails; the next session starts another
    again = _run(work, sandbox, wanted, careful=True)
    return min(again, careful, key=lambda attempt: len(attempt.stopped_at)).entries


def _run(work: Work, sandbox: Sandbox, wanted: set[str], *, careful: bool) -> Attempt:
    """Run all cells: carefully, with a fork before each; or quickly, and give up at the first that is stopped."""
    compat.leave_compiler_unloaded()  # an exam's reference trains, too
    entries: Entries = {}
    outputs: dict[str, list[Output]] = {}
    shown = Outputs()
    flags: list[str] = []
    stopped_at: set[str] = set()
    failed: dict[str, str] = {}  # what a cell was to define, and the exception that ended it
    started = time.monotonic()
    with sandbox.session() as session:
        for cell in work.cells:
            question = work.question_of(cell)
            if work.is_shown_only(cell):
                continue
            if question:
                if work.questions[question] in wanted:
                    sat = sit(session, work.lesson, question, work.seed, failed)
                    entries[work.questions[question]] = [verdict_to_json(verdict) for verdict in sat.verdicts]
                    flags += sat.flags
                    stopped_at |= {question} if sat.stops else set()
                    if session.ended and not careful:
                        return Attempt({}, frozenset(stopped_at), whole=False, sure=False)
                continue
            run = session.run_cell if careful else session.run_in_place
            try:
                outputs[cell.id] = shown.of_cell(run(cell.source, cell.id).get("outputs"))
                ended_by = exception_of(outputs[cell.id])
                for name in defined_by(cell.source):
                    failed.pop(name, None)
                    failed |= {name: ended_by} if ended_by else {}
                if ended_by.startswith(("ImportError", "ModuleNotFoundError")):
                    flags.append(f"cell {cell.id} imports what is not here: {ended_by}")
            except Stopped as why:
                stopped_at.add(cell.id)
                if not careful:
                    return Attempt({}, frozenset(stopped_at), whole=False, sure=False)
                outputs[cell.id] = [error_output("Stopped", str(why))]
                flags.append(f"cell {cell.id}: {why}")
        if shown.left_out:
            flags.append(f"{shown.left_out} picture(s) left out: all together were too large to show")
        if session.states.orphans_ended:
            flags.append(f"{session.states.orphans_ended} process(es) left running were ended")
        cost = {"seconds": time.monotonic() - started, "cpu_seconds": session.cpu_seconds}
    entries[work.cells_key] = {"outputs": outputs, "stopped": flags, **cost}
    return Attempt(entries, frozenset(stopped_at), whole=True, sure=session.watch.doubts == 0)
