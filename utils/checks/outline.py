"""A lesson's outline: its questions with their points and headings, and its cells that only train or draw.

The build generates it from the lesson's text (`utils/LESSON/made/outline.json`). The notebook's last cell needs it for
the table of questions (`standing.py`), and a run needs it to continue past open gaps (`going_on.py`). It holds no
solution, and nothing that a student's notebook does not hold.
"""

import ast
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from utils.common import lessons

OUTLINE = "outline.json"


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


def outlines() -> dict[str, Outline]:
    """Return the outlines of all lessons by name."""
    return _outlines(tuple(lessons.folders()))


@cache
def _outlines(_: tuple[Path, ...]) -> dict[str, Outline]:
    """Return the outlines of the lessons in these folders of modules."""
    by_lesson = {}
    for name in lessons.names():
        data = json.loads(lessons.made(name, OUTLINE).read_text(encoding="utf-8"))
        questions = []
        for entry in data["questions"]:
            call = entry.pop("call")
            questions.append(OutlineEntry(**entry, call=None if call is None else tuple(call)))
        needs = {cell: tuple(gaps) for cell, gaps in data["needs"].items()}
        makes = frozenset(data["makes"])
        by_lesson[name] = Outline(tuple(questions), data["shows"], tuple(data["empty"]), makes, needs)
    return by_lesson


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
