"""Reading attacks, and composing them into submissions of a real lesson.

An attack is a file `KIND__NAME.py`: a docstring that says what it tries and what must come of it, headers,
and the code of a cell of the student's own. Kinds: `marks` (to gain some), `secrets` (to see what is not
the student's; prints LEAK when it does), `harm` (to cost others theirs). Headers, all optional:

    # place: first     where the cell stands: first (before all others; unless said), last (before the last
                       test), or answer (it is the answer to every question, its object named ANSWER)
    # keeps: marks     harm only: right answers beside it keep all their marks (unless said), or any
    # flag: yes        the instructor is told of it (unless said), or no: it need not look suspicious
    # quick            it is graded in every test run, not only with --all-attacks: of each means, one attack
"""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.compose import compose
from autograder.lesson.text import TEST_PREFIX, Lesson

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
FOLDER = Path(__file__).parent
KINDS = ("marks", "secrets", "harm")


@dataclass(frozen=True)
class Attack:
    """One attack of the corpus."""

    name: str
    code: str
    place: str = "first"
    keeps: str = "marks"
    flag: str = "yes"
    quick: bool = False

    @property
    def kind(self) -> str:
        return self.name.split("__")[0]


def attacks() -> list[Attack]:
    """Return the corpus, in the order of names."""
    return [read(path) for path in sorted(FOLDER.glob("[a-z]*__*.py"))]


def read(path: Path) -> Attack:
    """Read an attack. Raises: ValueError for a file that is not one."""
    text = path.read_text(encoding="utf-8")
    headers = dict(re.findall(r"^# (place|keeps|flag): (\w+)$", text, re.MULTILINE))
    attack = Attack(path.stem, text, quick="\n# quick\n" in text, **headers)
    known = attack.kind in KINDS and attack.place in ("first", "last", "answer")
    if not known or not ast.get_docstring(ast.parse(text)):
        raise ValueError(f"{path.name}: expected a kind of {KINDS}, a known place and a docstring.")
    return attack


@cache
def handed_over() -> dict[str, str]:
    """Return for each solution cell the name of the object that its exam is called with."""
    found = {}
    for name, test in ATTENTION.tests.items():
        calls = [node for node in ast.walk(ast.parse(test.hidden)) if isinstance(node, ast.Call)]
        found[name] = calls[0].args[0].id
    return found


@cache
def _wrong() -> dict[str, str]:
    """Return for each solution cell the code of its first known mistake."""
    lesson, wrong = ATTENTION, {}
    for mistake in mistakes.load(Lesson.load(LESSON, WORKBOOK)).values():
        wrong.setdefault(mistake.cell, mistakes.code_of(lesson, mistake))
    return wrong


# What anybody may hand in without malice: it runs, and is wrong.
TRIVIAL = "import torch\n\n\ndef ANSWER(*args, **kwargs):\n    return torch.zeros(2, 3)\n"


def honest(answers: str) -> NotebookNode:
    """Return a submission with no attack in it; `answers` are right, wrong, trivial or blank."""
    if answers == "trivial":
        return attacked(Attack("marks__trivial", TRIVIAL, "answer"), answers)
    cells = dict(_wrong()) if answers == "wrong" else {}
    return compose(ATTENTION, cells, blank=answers == "blank")


def answers_of(attack: Attack) -> dict[str, str]:
    """Return an attack that is an answer as the answer to every question: its code by cell."""
    names = {name: handed_over().get(name, "nothing") for name in ATTENTION.solutions}
    return {cell: attack.code.replace("ANSWER", name) for cell, name in names.items()}


def attacked(attack: Attack, answers: str) -> NotebookNode:
    """Return a submission with the attack in it."""
    if attack.place == "answer":
        return compose(ATTENTION, answers_of(attack))
    notebook = honest(answers)
    tests = [n for n, cell in enumerate(notebook.cells) if _grade_id(cell).startswith(TEST_PREFIX)]
    cell = nbformat.v4.new_code_cell(attack.code, id="attack")
    notebook.cells.insert(0 if attack.place == "first" else tests[-1], cell)
    return notebook


def _grade_id(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")
