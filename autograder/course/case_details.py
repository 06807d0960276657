"""What only the instructors' side knows of small cases: values on the way to a result, and other right answers.

Values on the way are variables of the reference solution. The build stores their numbers, so that no formula is
shipped.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from utils.checks.engine.small import Table
from utils.common.messages import N_

# Two digits are drawn: smaller numbers would be drawn as zeros.
DRAWN = 0.005


@dataclass(frozen=True)
class Step:
    """A variable of the reference, shown on the way; `names`: its name in each call of its function, in order."""

    variable: str
    names: tuple[str, ...]
    axes: str
    sums: str = ""


WEIGHTS_AXES = "N H looks at"
STEPS: dict[tuple[str, str], tuple[Step, ...]] = {
    ("attention", "make_datasets"): (
        Step("mean", (N_("mean of the training inputs"), N_("mean of the training targets")), "1 C 1"),
        Step("std", (N_("deviation of the training inputs"), N_("deviation of the training targets")), "1 C 1"),
    ),
    ("attention", "self_attention"): (Step("scores", (N_("scores"),), "N looks at"),),
    ("seq2seq", "attend"): (Step("scores", (N_("scores, padding hidden"),), "N T"),),
    ("seq2seq", "additive_attention"): (Step("compared", (N_("tanh of query and key"),), "N T R"),),
    ("seq2seq", "cosine_similarity"): (
        Step("a", (N_("a, each row of length 1"),), "a D"),
        Step("b", (N_("b, each row of length 1"),), "b D"),
    ),
    ("captioning", "multi_head_attention"): (
        Step("scores", (N_("scores"),), WEIGHTS_AXES),
        Step("weights", (N_("weights"),), WEIGHTS_AXES, "rows"),
    ),
    ("gpt", "rms_norm"): (Step("mean_square", (N_("mean of the squares"),), "N S E"),),
    ("gpt", "rotate"): (Step("angle", (N_("angles, in radians"),), "S pair"),),
    ("gpt", "self_attention"): (Step("scores", (N_("scores, later places hidden"),), WEIGHTS_AXES),),
    ("gpt", "nucleus"): (Step("p", (N_("softmax of the logits, after the temperature"),), "N V"),),
}
# Other right answers: text substitutions in the reference's cell. No small case may tell them from the reference.
ALSO_RIGHT: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("attention", "make_datasets"): (
        (".std(dim=(0, 2), keepdim=True)", ".std(dim=(0, 2), keepdim=True, correction=0)"),
    ),
}


@contextmanager
def variables(cell: str, wanted: tuple[Step, ...], seen: list[tuple[Step, torch.Tensor]]) -> Iterator[None]:
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


def on_the_way(lesson: str, question: str, words: dict[str, str], run: Callable[[], Any]) -> tuple[Table, ...]:
    """Run the reference and return the tables of its variables, each call of its function at most once."""
    wanted = STEPS.get((lesson, question), ())
    seen: list[tuple[Step, torch.Tensor]] = []
    with variables(question, wanted, seen):
        run()
    tables = []
    for step in wanted:
        values = [value for other, value in seen if other is step]
        for name, value in zip(step.names, values, strict=False):
            axes = tuple(words.get(symbol, symbol) for symbol in step.axes.split())
            if not (value.any() and (value.abs() < DRAWN).all()):
                tables.append(Table(name, value, axes, step.sums))
    return tuple(tables)
