"""One notebook's work: its cells in order, their keys in the store, and the result assembled from the entries."""

import ast
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from nbformat import NotebookNode

from autograder.common.keyed import keyed
from autograder.examine.hashes import digest, environment
from autograder.examine.keys import exam_hash
from autograder.examine.result import Graded, Result, verdict_from_json
from autograder.examine.suspicion import suspicions
from autograder.intake.known import Known
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.sandbox.limits import Limits
from utils.checks.engine.outcome import STOPPED

# A course has so many seeds of a lesson's exams, each a set of inputs; the course's secret and a hash of the
# submission's answers choose one. So the next try meets other inputs, and nobody knows which. What the reference and
# known mistakes give is computed once for each seed: 8 seeds cost a class of 40 in `captioning` up to an eighth more
# processor time, and copying gains nothing with 4 (`tests/attacks/test_copying.py`).
SEEDS = 4

Entries = dict[str, Any]  # key in the store -> entry

# What a student asks a check, besides calling it: it prints, and defines nothing.
ASKED = re.compile(r"check\.(\w+)\.(?:catch|hint|show|json|order)\(")
# The comment that `check.NAME.order(…)` puts above lines that were put in order.
ORDERED = re.compile(r"(?m)^\s*#\s*check\.(\w+)\.order\(")


class Work:
    """The cells and questions of a notebook that have to be run, and their keys in the store."""

    def __init__(
        self, notebook: NotebookNode, lesson: Lesson, limits: Limits, secret: str = "", *, seed: int | None = None
    ):
        """`limits` are those of the sandbox that will run the notebook.

        `secret` is the course's (`gradebook/secret.py`); none is needed where no student gets the feedback, nor where
        the seed that was drawn with it is given: no other computer is told the secret.
        """
        self.lesson = lesson
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
        # The student's lines of code without their order: an editor that moves, splits or merges cells leaves the
        # inputs as they are, also where a line of the release is found among the student's, or is lost.
        texts = [cell.source for cell in self.cells if not self.is_ours(cell)]
        lines = {line.strip() for text in texts for line in text.split("\n")} - Known.of(lesson).lines
        answers = sorted(line for line in lines if has_code(line))
        self.language = str(notebook.metadata.get("workbook", {}).get("language", "en"))
        self.seed = seed_of(secret, lesson.name, keyed(secret, "set", answers) % SEEDS) if seed is None else seed
        so_far = digest(environment(), lesson.name, asdict(limits))
        self.questions: dict[str, str] = {}  # name -> key in the store
        for cell in self.cells:
            question = self.question_of(cell)
            if question:
                hidden = lesson.tests[question].hidden
                self.questions[question] = digest(so_far, hidden, exam_hash(lesson, question), self.seed)
            elif not self.is_shown_only(cell):
                so_far = digest(so_far, cell.source)
        # Cells' outputs depend on the notebook's language, because figures and prints are translated; exams do not.
        # Outputs are kept by cell id, so the ids are part of the key: another notebook may have it in other cells.
        self.cells_key = digest("cells", self.language, so_far, [cell.id for cell in self.cells])
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

    def is_run(self, cell: NotebookNode) -> bool:
        """Return whether a cell, other than a test cell, has to run while grading."""
        return not self.is_shown_only(cell) and has_code(cell.source) and not self._only_asks(cell.source)

    def _only_asks(self, source: str) -> bool:
        """Return whether a cell's only line asks a check for a hint or the like, which defines nothing."""
        asked = ASKED.match(source)
        if asked is None or asked[1] not in self.lesson.tests:
            return False
        try:
            (line,) = ast.parse(source).body
        except (SyntaxError, ValueError):
            return False
        called = isinstance(line, ast.Expr) and isinstance(line.value, ast.Call)
        return called and not any(isinstance(node, ast.NamedExpr | ast.Lambda) for node in ast.walk(line))

    def stored(self, get: Callable[[str], Any]) -> dict[str, Any | None]:
        """Return this notebook's entries as `get` reads them from a store; None for an entry of another key's form.

        A file that something else wrote into the store is computed again, like a file that is not JSON.
        """
        entries = {key: get(key) for key in self.keys}
        fits = {
            key: is_entry(entry) and isinstance(entry, dict) == (key == self.cells_key)
            for key, entry in entries.items()
        }
        return {key: entry if fits[key] else None for key, entry in entries.items()}

    def was_stopped(self, entries: dict[str, Any | None]) -> bool:
        """Return whether the entries show that something in this notebook was stopped."""
        sat = [verdict for key in self.questions.values() for verdict in entries[key] or []]
        ran = entries[self.cells_key]
        return bool(ran and ran["stopped"]) or any(verdict_from_json(entry).outcome == STOPPED for entry in sat)

    def result(self, entries: Entries) -> Result:
        """Assemble the result from the entries of all keys."""
        ran = entries[self.cells_key]
        sat = {question: entries[key] for question, key in self.questions.items()}
        questions = []
        for cell in self.lesson.of_role("test", "essay"):
            verdicts = [verdict_from_json(entry) for entry in sat.get(cell.name, [])] if cell.role == "test" else []
            kind = "auto" if cell.role == "test" else "manual"
            questions.append(Graded(cell.grade_id, kind, cell.points, verdicts, self._share(cell.name)))
        flags = [*ran["stopped"], *suspicions([cell for cell in self.cells if not self.is_ours(cell)], self.texts)]
        cost = {"seconds": ran.get("seconds", 0.0), "cpu_seconds": ran["cpu_seconds"]}
        return Result(self.lesson.name, questions, ran["outputs"], flags=flags, seed=self.seed, **cost)

    def _share(self, question: str) -> float:
        """Return the part of a question's points that its answer earns at most: less for lines put in order."""
        most = self.lesson.course.settings.order
        answers = [cell.source for cell in self.cells if _grade_id(cell) == question] if most else []
        return most if any(question in ORDERED.findall(answer) for answer in answers) else 1.0


def seed_of(secret: str, lesson_name: str, number: int) -> int:
    """Return the seed of one of a course's `SEEDS` sets of inputs, which is the key of its tests' seeds."""
    return keyed(secret, "seed", lesson_name, number)


def is_entry(value: Any) -> bool:
    """Return whether a value has the form of an entry: outputs and costs of a run, or the verdicts of a question.

    Each question has at least one verdict; an empty list would be a mark of zero that nobody examined.
    """
    if isinstance(value, dict):
        forms = {"outputs": dict, "stopped": list, "cpu_seconds": float | int}
        return all(isinstance(value.get(name), form) for name, form in forms.items())
    try:
        return (
            isinstance(value, list)
            and value != []
            and all(0 <= verdict_from_json(verdict).share <= 1 for verdict in value)
        )
    except (TypeError, KeyError, AttributeError, ValueError):
        return False


def has_code(source: str) -> bool:
    """Return whether a cell holds anything but comments."""
    return any(line and not line.startswith("#") for line in map(str.strip, source.split("\n")))


def _grade_id(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id") or ""
