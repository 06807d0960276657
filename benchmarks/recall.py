"""Figures of the lesson `recall`: shares of right answers of each memory, on several seeds.

Run `python -m benchmarks.recall [--seeds N]`; each line that it prints is a training, as a row of the table in
`benchmarks/recall.md`. With `--gpt`, train the language model of `gpt` instead, with a table in its second layer.
"""

import argparse
import time
from typing import Any

import torch
from torch.nn import functional as F

from autograder.common.course import WORKBOOK
from autograder.exams.reference import reference_names
from autograder.lesson.text import Lesson
from benchmarks import gpt
from utils.gpt import looking
from utils.recall import random_vectors
from utils.recall.model import Memory, Porter, softmax_memory
from utils.recall.training import shares, train

WIDTHS = (8, 12, 16, 24, 32)
MOVED = {"steps": 1200, "most": 16, "moved": True}


def delta_memory(names: dict[str, Any]) -> Memory:
    """Return the lesson's memory that corrects itself: all pairs one after the other, then the questions."""

    def memory(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        table = q.new_zeros(len(k), k.shape[-1], v.shape[-1])
        for t in range(k.shape[1]):
            table = names["delta"](table, k[:, t], v[:, t])
        answer: torch.Tensor = names["read"](table, q)
        return answer

    return memory


def measured(name: str, memory: Memory, d: int, seed: int, *, unit: bool = True, **options: Any) -> str:
    """Train one porter; return a row of the table: what it is, processor seconds, shares at some numbers of guests."""
    torch.manual_seed(seed)
    porter, start = Porter(memory, d, unit=unit), time.process_time()
    train(porter, seed=seed, **options)
    spent = time.process_time() - start
    moved = options.get("moved", False)
    lengths = (8, 16, 32) if moved else tuple(sorted({16, 32, 64, 256, d * d // 8}))
    curve = shares(porter, lengths, moved=moved)
    found = ", ".join(f"{100 * share:.1f} ({pairs})" for pairs, share in curve.items())
    return f"| {name} | {d} | {seed} | {spent:.0f} | {found} |"


def language_model(seed: int) -> str:
    """Train the two layers of `gpt` with a table in the second; return a row: the losses of each kind of letter."""
    names = reference_names(Lesson.load("gpt", WORKBOOK))

    class Table(names["SelfAttention"]):  # type: ignore[name-defined,misc]  # the lesson's class, known at run time
        """Attention without softmax: queries and keys have length 1, and the scores are the weights."""

        def look(self, x: torch.Tensor) -> torch.Tensor:
            query, key = (self.rotate(F.normalize(self.split(layer(x)), dim=-1)) for layer in (self.query, self.key))
            scores: torch.Tensor = query @ key.transpose(2, 3)
            return scores.tril()

    rows, unseen = gpt.data(seed)
    made = gpt.build(names, seed, layers=2)
    made.blocks[1].attention.__class__ = Table  # the same first weights as with softmax
    start = time.process_time()
    names["train"](made, rows, names["nats"], seed=seed)
    spent = time.process_time() - start
    plain, first, again = looking.losses_of(made, names["nats"], unseen)
    return f"| a table in the second layer | {seed} | {spent:.0f} | {plain:.3f} | {first:.3f} | {again:.3f} |"


def main(seeds: int) -> None:
    """Print the rows of all trainings, seed by seed, and those of random vectors."""
    names = reference_names(Lesson.load("recall", WORKBOOK))
    table, delta = names["read_all"], delta_memory(names)

    def window(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        answer: torch.Tensor = names["window"](q, k, v, 16)
        return answer

    for seed in range(seeds):
        for d in WIDTHS:
            print(measured("table", table, d, seed), flush=True)
            predicted = random_vectors.shares(names["answers"], d, (d * d // 8,), seed=seed)
            print(f"| random vectors | {d} | {seed} | 0 | {100 * predicted[d * d // 8]:.1f} ({d * d // 8}) |")
        print(measured("softmax", softmax_memory, 16, seed, unit=False), flush=True)
        print(measured("window of 16", window, 16, seed, unit=False), flush=True)
        print(measured("table, four times as long", table, 16, seed, steps=2400), flush=True)
        print(measured("table, at most 8 guests", table, 16, seed, most=8), flush=True)
        print(measured("delta rule, nobody moves", delta, 16, seed, most=16), flush=True)
        print(measured("told twice: table", table, 32, seed, **MOVED), flush=True)
        print(measured("told twice: softmax", softmax_memory, 32, seed, unit=False, **MOVED), flush=True)
        print(measured("told twice: delta rule", delta, 32, seed, **MOVED), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--gpt", action="store_true")
    arguments = parser.parse_args()
    if arguments.gpt:
        for seed in range(arguments.seeds):
            print(language_model(seed), flush=True)
    else:
        main(arguments.seeds)
