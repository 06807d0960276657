"""Examining one notebook: its cells run in the sandbox, its questions are sat, the verdicts computed here.

A run is a function from a notebook (already taken in, see `intake/notebook.py`) to a `Result`; nothing else of
the course goes in or comes out, so any process, on any machine, may do it.
"""

import time
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from nbformat import NotebookNode

from autograder.examine import unsafe
from autograder.examine.hashes import digest, environment
from autograder.examine.keys import exam_hash
from autograder.examine.outputs import Output, Outputs, error_output
from autograder.examine.result import Graded, Result, verdict_from_json, verdict_to_json
from autograder.examine.sitting import sit
from autograder.examine.suspicion import suspicions
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.sandbox.inside import compat
from autograder.sandbox.limits import Limits, Stopped
from autograder.sandbox.parent import Sandbox

# Exams have so many sets of inputs (seeds), of which a submission draws one by its answers: a value seen in feedback is
# of little use for the next try, and what the reference and the mistakes show is computed once per seed.
SEEDS = 4

Entries = dict[str, Any]  # by the store's key


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
        computed = work.run(sandbox, missing)
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


class Work:
    """One notebook's cells in order, and the store's keys of all that is to be known of them."""

    def __init__(self, notebook: NotebookNode, lesson: Lesson, limits: Limits | None):
        """`limits` are those of the sandbox that will run it; None where there is none."""
        self.lesson = lesson
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
        answers = [cell.source for cell in self.cells if not self.is_ours(cell)]
        self.seed = int(digest(answers)[:8], 16) % SEEDS
        so_far = digest(environment(), lesson.name, asdict(limits) if limits else None)
        self.questions: dict[str, str] = {}  # name -> key in the store
        for cell in self.cells:
            question = self.question_of(cell)
            if question:
                hidden = lesson.tests[question].hidden
                self.questions[question] = digest(so_far, hidden, exam_hash(lesson, question), self.seed)
            elif not self.is_shown_only(cell):
                so_far = digest(so_far, cell.source)
        self.cells_key = digest("cells", so_far)
        self.keys = [self.cells_key, *self.questions.values()]

    def question_of(self, cell: NotebookNode) -> str | None:
        """Return the name of the question that a cell grades."""
        name = _grade_id(cell).removeprefix(TEST_PREFIX)
        return name if _grade_id(cell).startswith(TEST_PREFIX) and name in self.lesson.tests else None

    def is_ours(self, cell: NotebookNode) -> bool:
        """Return whether a cell's text is the lesson's and not the student's."""
        return _grade_id(cell) in self.lesson.ours

    def is_shown_only(self, cell: NotebookNode) -> bool:
        """Return whether a cell trains and draws, and does not run while grading."""
        return _grade_id(cell) in self.lesson.shown_only

    def run(self, sandbox: Sandbox | None, wanted: set[str]) -> Entries:
        """Run the cells in a fresh sandbox and sit the questions whose keys are wanted.

        A stop that may have been the machine's doing (a pause, a killed process) is believed only when it happens
        again, in another sandbox.
        """
        if sandbox is None:
            return unsafe.run(self, wanted)
        quick = self._run(sandbox, wanted, careful=False)
        if quick.whole and quick.sure:
            return quick.entries
        careful = self._run(sandbox, wanted, careful=True)  # rare: now there is a state to go back to
        if careful.sure or careful.stopped_at <= quick.stopped_at:
            return careful.entries
        sandbox.close()  # the parent may be what ails; the next session starts another
        again = self._run(sandbox, wanted, careful=True)
        return min(again, careful, key=lambda attempt: len(attempt.stopped_at)).entries

    def _run(self, sandbox: Sandbox, wanted: set[str], *, careful: bool) -> Attempt:
        """Run all cells: carefully, with a fork before each; or quickly, and give up at the first that is stopped."""
        compat.leave_compiler_unloaded()  # an exam's reference trains, too
        entries: Entries = {}
        outputs: dict[str, list[Output]] = {}
        shown = Outputs()
        flags: list[str] = []
        stopped_at: set[str] = set()
        started = time.monotonic()
        with sandbox.session() as session:
            for cell in self.cells:
                question = self.question_of(cell)
                if self.is_shown_only(cell):
                    continue
                if question:
                    if self.questions[question] in wanted:
                        sat = sit(session, self.lesson, question, self.seed)
                        entries[self.questions[question]] = [verdict_to_json(verdict) for verdict in sat.verdicts]
                        flags += sat.flags
                        stopped_at |= {question} if sat.stops else set()
                        if session.ended and not careful:
                            return Attempt({}, frozenset(stopped_at), whole=False, sure=False)
                    continue
                run = session.run_cell if careful else session.run_in_place
                try:
                    outputs[cell.id] = shown.of_cell(run(cell.source, cell.id).get("outputs"))
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
        entries[self.cells_key] = {"outputs": outputs, "stopped": flags, **cost}
        return Attempt(entries, frozenset(stopped_at), whole=True, sure=session.watch.doubts == 0)

    def result(self, entries: Entries) -> Result:
        """Assemble the result from the entries of all keys."""
        ran = entries[self.cells_key]
        sat = {question: entries[key] for question, key in self.questions.items()}
        questions = []
        for cell in self.lesson.of_role("test", "essay"):
            verdicts = [verdict_from_json(entry) for entry in sat.get(cell.name, [])] if cell.role == "test" else []
            questions.append(Graded(cell.grade_id, "auto" if cell.role == "test" else "manual", cell.points, verdicts))
        flags = [*ran["stopped"], *suspicions([cell for cell in self.cells if not self.is_ours(cell)], self.texts)]
        return Result(
            self.lesson.name,
            questions,
            ran["outputs"],
            flags=flags,
            seed=self.seed,
            cpu_seconds=ran["cpu_seconds"],
        )


def _grade_id(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id") or ""
