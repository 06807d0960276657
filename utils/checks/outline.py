"""A lesson's outline: its questions with their points and headings, and its cells that show something.

The build writes it from the lesson's text (`outlines/LESSON.json`), so that the notebook's last cell can say where a
student stands, and a run can go on where a gap is open. No solution is in it, and nothing that a notebook does not say.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

OUTLINES = Path(__file__).parent / "outlines"


@dataclass(frozen=True)
class OutlineEntry:
    """A question; `call` is what its check is called with: nothing for an essay, None where there is no check."""

    name: str
    points: float
    call: tuple[str, ...] | None
    headings: Mapping[str, str]  # by language: the heading under which it stands
    titles: Mapping[str, str]  # by language: an essay's question; the checks have titles of their own

    @property
    def is_essay(self) -> bool:
        return self.call == ()


@dataclass(frozen=True)
class Outline:
    """A lesson's questions in their order, `shows` (the cells that show something, with a hash of their text)."""

    questions: tuple[OutlineEntry, ...]
    shows: Mapping[str, str]
    empty: tuple[str, ...]  # what stands in an essay's cell before anything is written


@cache
def outlines() -> dict[str, Outline]:
    """Return the outlines of all lessons that are here, by name."""
    found = {}
    for path in sorted(OUTLINES.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        questions = []
        for entry in data["questions"]:
            call = entry.pop("call")
            questions.append(OutlineEntry(**entry, call=None if call is None else tuple(call)))
        found[path.stem] = Outline(tuple(questions), data["shows"], tuple(data["empty"]))
    return found


def digest(source: str) -> str:
    """Return a short hash of a cell's text."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:12]
