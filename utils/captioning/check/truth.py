"""Section 9: the shares of captions that are true, false and malformed."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe
from utils.common.messages import N_

truth = Check(
    "truth",
    title="True, false, malformed",
    sizes={"N": 13, "C": 7},
    hints=(
        "Judge one caption by hand first. It is false as soon as one of its claims differs from the fact. What "
        "about the columns in which it claims nothing, and what about a caption that claims nothing at "
        "all?",
        "Ask at each place, (N, C): is there no claim, or is the claim the fact? A caption is true if "
        "this holds in each of its columns, and if it claims anything. Each caption is exactly one of the "
        "three.",
        "`|` is “or”, `&` is “and”, `~` is “not”; `.all(dim=1)` asks all columns of a row; "
        "`.float().mean()` turns a vector of booleans into a share.",
    ),
)


def judged_captions(probe: Probe, true: int, false: int, malformed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return claims and facts, each (rows, C), of so many captions of each kind, in random order.

    A scene has nothing in some columns; a caption says nothing in some others. The first false caption is wrong in all
    that it claims, the others in one column.
    """
    C, rows = probe["C"], true + false + malformed
    facts = probe.integers(1, 5, rows, C)
    facts[:, C - 2] *= probe.integers(0, 2, rows)
    claims = facts.clone()
    claims[:, 1] *= probe.integers(0, 2, rows)
    claims[:, C - 1] = 0
    claims[true + 1 : true + false, 2] = 1 + facts[true + 1 : true + false, 2] % 4
    if false:
        claims[true] = torch.where(claims[true] == 0, 0, 1 + facts[true] % 4)
    claims[true + false :] = 0
    order = torch.from_numpy(probe.rng.permutation(rows))
    return claims[order], facts[order]


def long_captions(probe: Probe, wrong: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return claims and facts, each (N, C), without a 0: the last caption is all wrong, and `wrong` others in a column.

    These are in the middle of the batch, so that the first four captions are true.
    """
    N, C = probe["N C"]
    facts = probe.integers(1, 5, N, C)
    claims = facts.clone()
    for row in range(4, 4 + wrong):
        claims[row, row % C] = 1 + facts[row, row % C] % 4
    claims[-1] = 1 + facts[-1] % 4
    return claims, facts


@truth.test("captions that say everything: one wrong claim makes a caption false, however many are right")
def everything_said(probe: Probe, truth: Any) -> Any:
    return probe.shaped(truth(*long_captions(probe, 3)), 3)


@truth.test("captions that leave something out: what a caption does not say is not wrong")
def left_out(probe: Probe, truth: Any) -> Any:
    return probe.shaped(truth(*judged_captions(probe, probe["N"] - 3, 3, 0)), 3)


@truth.test("captions that claim what the scene does not have, such as a second thing")
def invented(probe: Probe, truth: Any) -> Any:
    claims, facts = long_captions(probe, 1)
    facts[:3, 3] = 0
    return probe.shaped(truth(claims, facts), 3)


@truth.test("captions that claim nothing at all are malformed, neither true nor false, and they count")
def nothing_said(probe: Probe, truth: Any) -> Any:
    N = probe["N"]
    return probe.shaped(truth(*judged_captions(probe, 6, N - 10, 4)), 3)


@truth.test("a single caption: one of the three shares is 1")
def alone(probe: Probe, truth: Any) -> Any:
    kinds = {N_("a true one"): (1, 0, 0), N_("a false one"): (0, 1, 0), N_("a malformed one"): (0, 0, 1)}
    return {name: probe.shaped(truth(*judged_captions(probe, *counts)), 3) for name, counts in kinds.items()}


@truth.test(ON_GPU)
def on_gpu(probe: Probe, truth: Any) -> Any:
    with probe.gpu():
        return probe.shaped(truth(*map(probe.there, judged_captions(probe, 6, probe["N"] - 10, 4))), 3)
