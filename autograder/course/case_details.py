"""What only the instructors' side knows of small cases: values on the way to a result, and other right answers.

Values on the way are variables of the reference solution. The build stores their numbers, so that no formula is
shipped.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from autograder import mistakes
from autograder.lesson.text import Lesson
from utils.checks.engine.small import Table

# A table whose numbers would all be drawn as 0.00 is left out; one of true zeros is kept.
SMALLEST_DRAWN = 0.005


@dataclass(frozen=True)
class ShownVariable:
    """A variable of the reference whose values a small case shows on the way to the result.

    names: the table's heading for the first call of the variable's function, the second, ... axes: the words for its
    axes, in order. sums: the axis along which sums are shown, "" for none.
    """

    question: str
    variable: str
    names: tuple[str, ...]
    axes: str
    sums: str = ""


@cache
def steps_of(lesson: Lesson) -> tuple[ShownVariable, ...]:
    """Return the variables that a lesson's `[[step]]`s in `mistakes.toml` name."""
    return tuple(
        ShownVariable(entry["question"], entry["variable"], tuple(entry["names"]), entry["axes"], entry.get("sums", ""))
        for entry in mistakes.entries(lesson, "step")
    )


def also_right(lesson: Lesson, question: str) -> tuple[tuple[str, str], ...]:
    """Return other right answers: text substitutions in the reference's cell. No small case may call them wrong."""
    return tuple(
        (entry["old"], entry["new"]) for entry in mistakes.entries(lesson, "right") if entry["question"] == question
    )


@contextmanager
def variables(
    cell: str, wanted: tuple[ShownVariable, ...], seen: list[tuple[ShownVariable, torch.Tensor]]
) -> Iterator[None]:
    """Collect in `seen` the wanted variables of each function of a cell that returns meanwhile."""

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "return" and frame.f_code.co_filename == f"<cell {cell}>":
            for step in wanted:
                value = frame.f_locals.get(step.variable)
                if isinstance(value, torch.Tensor):
                    seen.append((step, value.detach().clone()))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


def on_the_way(lesson: Lesson, question: str, words: dict[str, str], run: Callable[[], Any]) -> tuple[Table, ...]:
    """Run the reference and return a table for each call and variable; `words` are the axes' words, translated."""
    wanted = tuple(step for step in steps_of(lesson) if step.question == question)
    seen: list[tuple[ShownVariable, torch.Tensor]] = []
    with variables(question, wanted, seen):
        run()
    tables = []
    for step in wanted:
        values = [value for other, value in seen if other is step]
        for name, value in zip(step.names, values, strict=False):
            axes = tuple(words.get(symbol, symbol) for symbol in step.axes.split())
            if not (value.any() and (value.abs() < SMALLEST_DRAWN).all()):
                tables.append(Table(name, value, axes, step.sums))
    return tuple(tables)
