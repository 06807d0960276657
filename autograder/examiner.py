"""Examining one notebook: its cells run in the sandbox, its questions are sat, the verdicts computed here.

A run is a function from a notebook (already taken in, see `intake.py`) to a `Result`; nothing else of
the course goes in or comes out, so any process, on any machine, may do it.
"""

import re
import time
import traceback
from typing import Any

from nbformat import NotebookNode

from autograder import reference, unsafe
from autograder.lesson import TEST_PREFIX, Lesson
from autograder.remote import Names, RemoteProbe
from autograder.result import Graded, Result, verdict_from_json, verdict_to_json
from autograder.sandbox.host import Sandbox, Session, Stopped
from autograder.store import Store, digest, environment, exam_hash
from utils.checks.core import Question, Test, Verdict, judge, observe
from utils.checks.observation import Observation
from utils.errors import WorkbookError

# What an honest notebook has no use for. A line found here takes no mark: it is for the instructor to see.
SUSPICIOUS = (
    (r"gradebook|submitted/|autograded/|\bsource/|release/", "looks for the course's files"),
    (r"/proc\b|/etc/|\.\./\.\.", "looks around the file system"),
    (r"ast_transformers|input_transformers|run_cell|showtraceback|(pre|post)_run|events\.register", "changes IPython"),
    (r"NBGRADER|REHEARSAL|sys\.argv|settrace|setprofile|_getframe|currentframe|\bgc\.", "looks for the grader"),
    (r"\bsocket\b|urllib|requests\.|http\.client", "uses the network"),
    (r"subprocess|os\.(system|fork|kill|_exit)|popen|multiprocessing|ctypes|sys\.exit", "starts or ends processes"),
    (r"(torch|numpy|np|F|nn|builtins|check|probe|utils[.\w]*)\.\w+\s*=[^=]", "overwrites a library's function"),
    (r"__torch_function__|def __(eq|lt|float|bool)__", "defines objects that lie"),
    (r"pickle|torch\.load|marshal", "loads pickles"),
)


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
        answers = [cell.source for cell in self.cells if not self.is_ours(cell)]
        self.seed = int(digest(answers)[:8], 16)
        so_far = digest(environment(), self.lesson.name, sandboxed)
        self.questions: dict[str, str] = {}  # key in the store -> question's name
        for cell in self.cells:
            question = self.question_of(cell)
            if question:
                key = digest(so_far, self.lesson.tests[question].hidden, exam_hash(lesson, question), self.seed)
                self.questions[key] = question
            elif not self.is_shown_only(cell):
                so_far = digest(so_far, cell.source)
        self.cells_key = digest("cells", so_far)
        self.keys = [self.cells_key, *self.questions]

    def question_of(self, cell: NotebookNode) -> str | None:
        """Return the name of the question that a cell grades."""
        name = _grade_id(cell).removeprefix(TEST_PREFIX)
        return name if _grade_id(cell).startswith(TEST_PREFIX) and name in self.lesson.tests else None

    def is_ours(self, cell: NotebookNode) -> bool:
        """Return whether a cell's text is the lesson's and not the student's."""
        return _grade_id(cell) in {ours.grade_id for ours in self.lesson.of_role("given", "show", "test")}

    def is_shown_only(self, cell: NotebookNode) -> bool:
        return _grade_id(cell) in self.lesson.shown_only

    def run(self, sandbox: Sandbox | None, wanted: set[str]) -> dict[str, Any]:
        """Run the cells in a fresh sandbox and sit the questions whose keys are wanted."""
        if sandbox is None:
            return unsafe.run(self, wanted)
        entries: dict[str, Any] = {}
        outputs: dict[str, list[dict]] = {}
        stopped: list[str] = []
        keys = {question: key for key, question in self.questions.items()}
        started = time.monotonic()
        with sandbox.session() as session:
            for cell in self.cells:
                question = self.question_of(cell)
                if self.is_shown_only(cell):
                    continue
                if question:
                    if keys[question] in wanted:
                        verdicts = sit(session, self.lesson, question, self.seed)
                        entries[keys[question]] = [verdict_to_json(verdict) for verdict in verdicts]
                    continue
                try:
                    outputs[cell.id] = _checked_outputs(session.run_cell(cell.source, cell.id).get("outputs"))
                except Stopped as why:
                    outputs[cell.id] = [_error("Stopped", str(why))]
                    stopped.append(f"cell {cell.id}: {why}")
            if session.strays:
                stopped.append(f"{session.strays} process(es) left running were ended")
            cost = {"seconds": time.monotonic() - started, "cpu_seconds": session.cpu_seconds}
        entries[self.cells_key] = {"outputs": outputs, "stopped": stopped, **cost}
        return entries

    def result(self, entries: dict[str, Any]) -> Result:
        """Assemble the result from the entries of all keys."""
        ran = entries[self.cells_key]
        sat = {question: entries[key] for key, question in self.questions.items()}
        questions = []
        for cell in self.lesson.of_role("test", "essay"):
            verdicts = [verdict_from_json(entry) for entry in sat.get(cell.name, [])] if cell.role == "test" else []
            questions.append(Graded(cell.grade_id, "auto" if cell.role == "test" else "manual", cell.points, verdicts))
        flags = [*ran["stopped"], *_suspicions([cell for cell in self.cells if not self.is_ours(cell)])]
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
    key = reference.LiveKey(exam, seed)
    sitting = Sitting(session, lesson, question, exam, seed)
    try:
        return judge(exam, key, sitting.run)
    finally:
        sitting.close()
        session.hurry(False)


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

    def run(self, test: Test) -> Observation:
        probe = RemoteProbe(self.exam.sizes, reference.test_seed(self.seed, self.exam.name, test.name))
        try:
            self.open()
        except Exception as error:
            return Observation(failure=_failure(error))
        seen = observe(test, probe, self.students)
        if seen.failure and seen.failure.kind == "Stopped":
            self.close()
            self.session.hurry()  # one endless loop is waited for once, not once a test
        return seen

    def open(self) -> None:
        if self.state is None:
            state = self.session.question()
            state.__enter__()
            self.state = state
            self.students = reference.sat(self.hidden, Names(self.session), self.lesson)[1]

    def close(self) -> None:
        if self.state is not None:
            self.state.__exit__(None, None, None)
            self.state = None


def _failure(error: Exception):
    failure = getattr(error, "failure", None)
    if failure is None:
        raise error
    return failure


def _checked_outputs(outputs: Any) -> list[dict]:
    """Return a cell's outputs, rebuilt from what may be shown: text, and pictures that are PNG."""
    kept: list[dict] = []
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        kind = output.get("output_type")
        if kind == "stream":
            kept.append({"output_type": "stream", "name": "stdout", "text": _text(output.get("text"))})
        elif kind == "error":
            trace = output.get("traceback")
            lines = [_text(line) for line in trace[:200]] if isinstance(trace, list) else []
            kept.append(_error(_text(output.get("ename"))[:200], _text(output.get("evalue")), lines))
        elif kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict):
            data = {"text/plain": _text(output["data"].get("text/plain"))}
            picture = output["data"].get("image/png")
            if isinstance(picture, str) and re.fullmatch(r"iVBORw0KGgo[A-Za-z0-9+/=\s]*", picture):
                data["image/png"] = picture
            kept.append({"output_type": "display_data", "data": data, "metadata": {}})
    return kept[:60]


def _text(value: Any) -> str:
    return value[:30_000] if isinstance(value, str) else ""


def _error(name: str, text: str, trace: list[str] | None = None) -> dict:
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": trace or [f"{name}: {text}"]}


def _suspicions(cells: list[NotebookNode]) -> list[str]:
    """Return what an instructor may want to look at in the student's cells."""
    found = []
    for cell in cells:
        for pattern, what in SUSPICIOUS:
            line = next((line for line in cell.source.split("\n") if re.search(pattern, line)), None)
            if line is not None:
                found.append(f"cell {cell.id} {what}: {line.strip()[:100]}")
    return found


def examine_here(exam: Question, students: tuple) -> float:
    """Sit an exam in this very kernel: an instructor's, who trusts the notebook. Returns the points."""
    from utils.checks.messages import notebook_language
    from utils.checks.report import show

    key = reference.LiveKey(exam, seed=1)
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
