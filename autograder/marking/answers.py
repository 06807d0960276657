"""The answers of a class to one question, read from `autograded/`, and rendered as HTML that cannot run."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.common.nodes import answer_hash, as_node, grade_id
from autograder.common.paths import open_regular
from autograder.gradebook.pages import Page
from autograder.lesson.translation import language_of

# Letters of an answer that a card shows; the rest is in formgrader. A long answer has 2,000.
MAX_SHOWN = 8_000


@dataclass(frozen=True)
class Answer:
    """A student's answer; `html` shows its first MAX_SHOWN letters."""

    text: str
    language: str
    hash: str
    attachments: dict[str, dict[str, str]] = field(repr=False)

    @cached_property  # to render the answers of a class takes longer than all else on the page
    def html(self) -> str:
        return Page().rendered(self.text[:MAX_SHOWN], self.attachments)


_known: dict[Path, tuple[tuple[int, int], dict[str, Answer]]] = {}


def answers_in(path: Path) -> dict[str, Answer]:
    """Return a graded notebook's answers to the questions that a person grades, by question; none for no notebook.

    Answers are kept in memory until the file changes.
    """
    try:
        status = path.stat()
        state = (status.st_mtime_ns, status.st_size)
        if path not in _known or _known[path][0] != state:
            _known[path] = (state, _read(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return _known[path][1]


def _read(path: Path) -> dict[str, Answer]:
    with open_regular(path) as file:
        data: dict[str, Any] = json.load(file)
    language = language_of(as_node({"metadata": data.get("metadata", {})}))
    answers = {}
    for cell in data["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade") and marks.get("solution"):
            cell = as_node(cell | {"source": "".join(cell["source"])})
            answers[grade_id(cell)] = Answer(cell.source, language, answer_hash(cell), cell.get("attachments", {}))
    return answers
