"""Examining one notebook: its cells run in the sandbox, its questions are sat, the verdicts computed here.

A run is a function from a notebook (already taken in, see `intake.py`) to a `Result`; nothing else of
the course goes in or comes out, so any process, on any machine, may do it.
"""

import contextlib
import resource
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.examine import unsafe
from autograder.examine.outputs import checked_outputs, error_output
from autograder.examine.remote import Names, RemoteProbe
from autograder.examine.result import Graded, Result, verdict_from_json, verdict_to_json
from autograder.examine.store import Store, digest, environment, exam_hash
from autograder.examine.suspicion import suspicions
from autograder.exams import reference
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.sandbox.host import DIED, RemoteError, Sandbox, Session, Stopped
from autograder.sandbox.inside import light_torch
from utils.checks.observation import Failure, Observation
from utils.checks.question import RAISED, Question, Test, Verdict, judge, observe
from utils.common.errors import WorkbookError
from utils.common.messages import N_, Message

# Exams have so many papers, with other inputs each, of which a submission draws one by its answers: a value seen in
# feedback is of little use for the next try, and what the reference and the mistakes show is computed once a paper.
PAPERS = 4
# A question's tests after so many that had to be stopped are not run: each costs the run seconds.
MAX_STOPS = 2


def examine(notebook: NotebookNode, lesson: str, sandbox: Sandbox | None, store: Store | None = None) -> Result:
    """Grade a notebook that intake has passed; what the store has is not computed again.

    Without a sandbox the notebook's code runs in this process, see `unsafe.py`.
    """
    started = time.monotonic()
    store = store or _NoStore()
    work = Work(notebook, lesson, sandboxed=sandbox is not None)
    entries = {key: store.get(key) for key in work.keys}
    if any(entry is None for entry in entries.values()):
        for key, entry in work.run(sandbox, {key for key, entry in entries.items() if entry is None}).items():
            store.put(key, entry)
            entries[key] = entry
    result = work.result(entries)
    result.seconds = time.monotonic() - started
    return result


class _NoStore:
    def get(self, key: str) -> None:
        return None

    def put(self, key: str, entry: Any) -> None:
        pass


class Work:
    """One notebook's cells in order, and the store's keys of all that is to be known of them."""

    def __init__(self, notebook: NotebookNode, lesson: str, *, sandboxed: bool = True):
        self.lesson = Lesson.load(lesson)
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
        answers = [cell.source for cell in self.cells if not self.is_ours(cell)]
        self.seed = int(digest(answers)[:8], 16) % PAPERS
        so_far = digest(environment(), self.lesson.name, sandboxed)
        self.questions: dict[str, str] = {}  # name -> key in the store
        for cell in self.cells:
            question = self.question_of(cell)
            if question:
                hidden = self.lesson.tests[question].hidden
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
        return _grade_id(cell) in self.lesson.shown_only

    def run(self, sandbox: Sandbox | None, wanted: set[str]) -> dict[str, Any]:
        """Run the cells in a fresh sandbox and sit the questions whose keys are wanted."""
        if sandbox is None:
            return unsafe.run(self, wanted)
        try:
            return self._run(sandbox, wanted, careful=False)
        except Stopped:  # rare, and then there must be a state to go back to
            return self._run(sandbox, wanted, careful=True)

    def _run(self, sandbox: Sandbox, wanted: set[str], *, careful: bool) -> dict[str, Any]:
        """The same: carefully, with a fork before each cell; or quickly, and given up at the first stop."""
        light_torch.install()  # an exam's reference trains, too
        entries: dict[str, Any] = {}
        outputs: dict[str, list[dict]] = {}
        stopped: list[str] = []
        started = time.monotonic()
        with sandbox.session() as session:
            for cell in self.cells:
                question = self.question_of(cell)
                if self.is_shown_only(cell):
                    continue
                if question:
                    if self.questions[question] in wanted:
                        verdicts, problem = _sit_safely(session, self.lesson, question, self.seed)
                        entries[self.questions[question]] = [verdict_to_json(verdict) for verdict in verdicts]
                        stopped += problem
                        if session.ended and not careful:
                            raise Stopped(DIED)
                    continue
                run = session.run_cell if careful else session.run_in_place
                try:
                    outputs[cell.id] = checked_outputs(run(cell.source, cell.id).get("outputs"))
                except Stopped as why:
                    if not careful:
                        raise
                    outputs[cell.id] = [error_output("Stopped", str(why))]
                    stopped.append(f"cell {cell.id}: {why}")
            if session.strays:
                stopped.append(f"{session.strays} process(es) left running were ended")
            cost = {"seconds": time.monotonic() - started, "cpu_seconds": session.cpu_seconds}
        entries[self.cells_key] = {"outputs": outputs, "stopped": stopped, **cost}
        return entries

    def result(self, entries: dict[str, Any]) -> Result:
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


def sit(session: Session, lesson: Lesson, question: str, seed: int) -> list[Verdict]:
    """Sit one exam with the student's objects in `session`; every test gets a verdict."""
    exam = reference.exams(lesson.name)[question]
    key = reference.key_of(lesson.name, question, seed)
    sitting = Sitting(session, lesson, question, exam, seed)
    try:
        return judge(exam, key, sitting.run)
    finally:
        sitting.close()
        session.hurry(False)


def _sit_safely(session: Session, lesson: Lesson, question: str, seed: int) -> tuple[list[Verdict], list[str]]:
    """The same, where an error of ours, met on one student's values, costs that question and not the class."""
    tests = reference.exams(lesson.name)[question].tests
    reference.students_of(lesson.name, question)  # an exam that fails without a student is its author's to mend
    try:
        return sit(session, lesson, question, seed), []
    except WorkbookError:  # the lesson's own fault, for its author to read
        raise
    except Exception as error:
        reason = Message(N_("this question could not be examined; your instructor has been told"))
        verdicts = [Verdict(name, test.ask, 1 / len(tests), RAISED, reason) for name, test in tests.items()]
        return verdicts, [f"question {question} could not be examined: {describe_crash(error)}"]


class Sitting:
    """A question's state in the sandbox: opened at the first test, opened anew after one that was stopped."""

    def __init__(self, session: Session, lesson: Lesson, question: str, exam: Question, seed: int):
        self.session = session
        self.exam = exam
        self.seed = seed
        self.hidden = lesson.tests[question].hidden
        self.lesson = lesson.name
        self.state: Any = None
        self.students: tuple = ()
        self.stops = 0

    def run(self, test: Test) -> Observation:
        if self.stops >= MAX_STOPS:
            return Observation(failure=Failure("Stopped", N_("not run, because your code had to be stopped before")))
        probe = RemoteProbe(self.exam.sizes, reference.test_seed(self.seed, self.exam.name, test.name))
        try:
            self.open()
            self.session.forget()  # what a test before this one did not get to
            with bounded_memory():
                seen = observe(test, probe, self.students)
            if seen.failure is None:
                self.session.settle()  # what was asked for and not looked at may raise as well
        except (Stopped, RemoteError) as error:
            self.close()
            seen = Observation(failure=error.failure)
        if seen.failure and seen.failure.kind == "Stopped":
            self.close()
            self.stops += 1
            self.session.hurry()  # one endless loop is waited for once, not once a test
        return seen

    def open(self) -> None:
        if self.state is None:
            state = self.session.question()
            state.__enter__()
            self.state = state
            self.students = reference.sat(self.hidden, Names(self.session), self.lesson)[1]
            self.session.settle()  # `torch.optim.SGD` in a test cell is an attribute of an attribute

    def close(self) -> None:
        if self.state is not None:
            self.state.__exit__(None, None, None)
            self.state = None


@contextlib.contextmanager
def bounded_memory() -> Iterator[None]:
    """Let this process take a gigabyte more and no further: what an exam does with a student's shapes may explode."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    limits = [number for number in (used + 2**30, soft, hard) if number != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def examine_here(exam: Question, students: tuple) -> float:
    """Sit an exam in this very kernel: an instructor's, who trusts the notebook. Returns the points."""
    from utils.checks.panel import show
    from utils.common.messages import notebook_language

    key = reference.key_of(exam.lesson, exam.name, seed=1)
    verdicts = judge(exam, key, lambda test: observe(test, key.probe(test), students))
    show(exam, verdicts, notebook_language())
    cell = Lesson.load(exam.lesson).tests.get(exam.name)
    if cell is None:
        raise WorkbookError(f"The lesson {exam.lesson} has no test cell for the exam {exam.name}.")
    return Graded(cell.grade_id, "auto", cell.points, verdicts).points or 0.0


def describe_crash(error: BaseException) -> str:
    """Return one line for the log about an error of our own."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.name}, line {last.lineno})"
