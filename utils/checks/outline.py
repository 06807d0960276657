"""A lesson's outline: its questions with their points and headings, and its cells that only train or draw.

The build generates it from the lesson's text (`outlines/LESSON.json`). The notebook's last cell needs it for the table
of questions (`standing.py`), and a run needs it to continue past open gaps (`going_on.py`). It holds no solution, and
nothing that a student's notebook does not hold.
"""

import ast
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

OUTLINES = Path(__file__).parent / "outlines"
# The lessons in the order in which students take them; a test compares the names with the lessons that exist.
LESSONS = ("attention", "captioning", "seq2seq", "gpt")


@dataclass(frozen=True)
class OutlineEntry:
    """A question; `call` are the expressions that its check is called with: () for an essay, None without a check."""

    name: str
    points: float
    call: tuple[str, ...] | None
    headings: Mapping[str, str]  # language -> the heading above the question
    titles: Mapping[str, str]  # language -> an essay's question; empty for others, because a check has its own title

    @property
    def is_essay(self) -> bool:
        return self.call == ()


@dataclass(frozen=True)
class Outline:
    """A lesson's questions in order, and its cells that only train or draw."""

    questions: tuple[OutlineEntry, ...]
    shows: Mapping[str, str]  # id of a cell that only trains or draws -> hash of its text, see `digest`
    empty: tuple[str, ...]  # the texts, one per language, of an essay's cell before the student writes
    makes: frozenset[str]  # the names that the lesson's cells make
    needs: Mapping[str, tuple[str, ...]]  # id of a cell that only trains or draws -> the questions whose gaps it needs


@cache
def outlines(folder: Path = OUTLINES) -> dict[str, Outline]:
    """Return the outlines of all lessons by name; `folder`: where they lie."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        questions = []
        for entry in data["questions"]:
            call = entry.pop("call")
            questions.append(OutlineEntry(**entry, call=None if call is None else tuple(call)))
        needs = {cell: tuple(gaps) for cell, gaps in data["needs"].items()}
        makes = frozenset(data["makes"])
        found[path.stem] = Outline(tuple(questions), data["shows"], tuple(data["empty"]), makes, needs)
    return found


def digest(source: str) -> str:
    """Return a short hash of a cell's text."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:12]


def made_by(code: str) -> dict[str, bool]:
    """Return the names that a cell makes at top level: True for an assignment, False for def, class and import."""
    made: dict[str, bool] = {}
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            made[statement.name] = False
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            made |= {alias.asname or alias.name.partition(".")[0]: False for alias in statement.names}
        else:
            stored = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            made |= {node.id: True for node in stored if isinstance(node.ctx, ast.Store)}
    return made
