"""The rubric of an essay, which is the end of its model answer in `source/LESSON/lesson.py`.

    *Figures.* `attention_matrix`. Compare with the student's own matrix.

    *Points.*

    - `mean` 1: the mean, tied to the squared error. *Words:* mean, average, square.

The line on figures is written only if the question is about the student's own figures: it names the drawing cells whose
output the grader sees beside the answer. An item has an id, which stays when its text is changed, the points that it
adds, and a text that the student reads in feedback. The marking page highlights the item's words in answers, to help
the grader's eye; they never give points.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from autograder.common.errors import LessonError

POINTS = "*Points.*"
NAMED = re.compile(r"(\*Figures\.\*)((?:\s`\w+`,?)+)\.")
ITEM = re.compile(r"- `([a-z][a-z0-9_]*)` (-?\d+(?:\.\d+)?): (.+?)(?: \*Words:\* (.+?)\.?)?")


class Essay(Protocol):
    """The attributes of an essay that this module reads; a lesson's `Cell` has them."""

    @property
    def name(self) -> str: ...

    @property
    def model_answer(self) -> str: ...


@dataclass(frozen=True)
class LessonItem:
    """An item of a question's rubric, in English; the words are separated by a comma and a space."""

    id: str
    points: float
    text: str
    words: str


def rubric_of(essay: Essay) -> list[LessonItem]:
    """Return a question's items, none if its model answer has no line `*Points.*`.

    The items' points need not add up to the question's, because a course may have changed those (`adapted.py`).
    Raises: LessonError for an item that cannot be read, or an id that two items have.
    """
    _, _, section = essay.model_answer.partition(POINTS)
    lines = [line for line in re.sub(r"\n +", " ", section).split("\n") if line.strip()]
    items = [_item(essay.name, line) for line in lines]
    ids = [item.id for item in items]
    if len(set(ids)) < len(ids):
        raise LessonError(f"Two items of the rubric of {essay.name} have the same id; rename one.")
    return items


def model_of(essay: Essay) -> str:
    """Return a question's model answer in English, without the items of its rubric and the names of cells."""
    return NAMED.sub(r"\1", essay.model_answer.partition(POINTS)[0].strip())


def figures_of(essay: Essay) -> list[str]:
    """Return the names of the drawing cells whose output a grader has to see, in their order."""
    named = NAMED.search(essay.model_answer)
    return re.findall(r"\w+", named[2]) if named else []


def _item(name: str, line: str) -> LessonItem:
    match = ITEM.fullmatch(line.strip())
    if match is None:
        raise LessonError(
            f"In the rubric of {name}, “{line.strip()[:60]}” cannot be read; write: - `id` POINTS: what earns them. "
            "*Words:* one, another."
        )
    return LessonItem(match[1], float(match[2]), match[3], match[4] or "")
