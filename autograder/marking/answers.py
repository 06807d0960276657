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

# A card shows so many letters of an answer; formgrader shows them all. A long answer has 2,000.
MAX_SHOWN = 8_000


@dataclass(frozen=True)
class Answer:
    """A student's answer; `html` shows its first MAX_SHOWN letters."""

    text: str
    language: str
    hash: str
    attachments: dict[str, dict[str, str]] = field(repr=False)

    @cached_property  # rendering a class's answers takes longer than everything else on the page
    def html(self) -> str:
        return Page().rendered(self.text[:MAX_SHOWN], self.attachments)


# The answers of each file that was read, with the file's time and size.
_read_before: dict[Path, tuple[tuple[int, int], dict[str, Answer]]] = {}


def answers_in(path: Path) -> dict[str, Answer]:
    """Return the essay answers in a graded notebook, by question; none if the notebook is missing or cannot be read.

    Answers are kept in memory until the file changes.
    """
    try:
        status = path.stat()
        time_and_size = (status.st_mtime_ns, status.st_size)
        if path not in _read_before or _read_before[path][0] != time_and_size:
            _read_before[path] = (time_and_size, _read(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return _read_before[path][1]


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
