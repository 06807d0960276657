"""Sections 2, 3 and 7: attention without softmax, the same as a table that is written and read, the delta rule."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe, gradients
from utils.common.messages import N_


def directions(probe: Probe, *shape: int) -> torch.Tensor:
    """Return random vectors of length 1, along the last axis."""
    return torch.nn.functional.normalize(probe.normal(*shape), dim=-1)


def three(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return q (N, S, d), k (N, T, d), v (N, T, D)."""
    N, S, T, d, D = probe["N S T d D"]
    return directions(probe, N, S, d), directions(probe, N, T, d), probe.normal(N, T, D)


def pair_and_table(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return a table (N, d, D), a key k (N, d) of length 1, a value v (N, D)."""
    N, d, D = probe["N d D"]
    return probe.normal(N, d, D), directions(probe, N, d), probe.normal(N, D)


read_all = Check(
    "read_all",
    title="Attention without softmax",
    sizes={"N": 3, "S": 5, "T": 11, "d": 7, "D": 13},
    hints=(
        "Write down the shapes: which axis of q and of k is summed away, and which axis is left for the values?",
        "The scores are (N, S, T): every question with every key of its day. Then a sum over the pairs.",
        "Exchange the last two axes of k, multiply q with it, and multiply the result with v. Nothing else.",
    ),
)


@read_all.test("the sum of all values, each times the dot product of the question with its key")
def sums(probe: Probe, read_all: Any, nn: Any) -> Any:
    return read_all(*three(probe))


@read_all.test("a single pair: its value, times the dot product")
def one_pair(probe: Probe, read_all: Any, nn: Any) -> Any:
    q, k, v = three(probe)
    return read_all(q, k[:, :1], v[:, :1])


@read_all.test("perpendicular keys of length 1 bring back exactly the values told")
def perpendicular(probe: Probe, read_all: Any, nn: Any) -> Any:
    d = probe["d"]
    keys = torch.eye(d).unsqueeze(0)
    return read_all(keys.flip(1), keys, probe.normal(1, d, probe["D"]))


@read_all.test("the right gradients reach the questions, the keys and the values")
def read_all_gradients(probe: Probe, read_all: Any, nn: Any) -> Any:
    q, k, v = (nn.Parameter(each) for each in three(probe))
    read_all(q, k, v).pow(2).sum().backward()
    return gradients(probe, q=q, k=k, v=v)


write = Check(
    "write",
    title="Write a pair",
    sizes={"N": 3, "d": 5, "D": 7},
    hints=(
        "The product k vᵀ of one day is a column times a row. Which shape does it have?",
        "Give k an axis for the columns and v an axis for the rows; then an ordinary product makes all entries.",
        "`k.unsqueeze(2)` is (N, d, 1), `v.unsqueeze(1)` is (N, 1, D). Their product is added to the table.",
    ),
)


@write.test("the table and the product k vᵀ of its day")
def added(probe: Probe, write: Any, nn: Any) -> Any:
    return write(*pair_and_table(probe))


@write.test("into a table of zeros")
def into_zeros(probe: Probe, write: Any, nn: Any) -> Any:
    table, k, v = pair_and_table(probe)
    return write(torch.zeros_like(table), k, v)


@write.test("one day, with a key of one component and a value of one component")
def smallest(probe: Probe, write: Any, nn: Any) -> Any:
    k, v = probe.uniform(1, 1, low=0.5, high=0.9), probe.uniform(1, 1, low=2.0, high=4.0)
    return write(probe.normal(1, 1, 1), k, v)


@write.test("the old table stays unchanged")
def table_kept(probe: Probe, write: Any, nn: Any) -> Any:
    table, k, v = pair_and_table(probe)
    start = write(table, k, v)
    once = probe.value(write(start, k, v))
    return {N_("the first new table"): probe.value(start), N_("the second new table"): once}


@write.test("the right gradients reach the table, the key and the value")
def write_gradients(probe: Probe, write: Any, nn: Any) -> Any:
    table, k, v = (nn.Parameter(each) for each in pair_and_table(probe))
    write(table, k, v).pow(2).sum().backward()
    return gradients(probe, table=table, k=k, v=v)


read = Check(
    "read",
    title="Read the table",
    sizes={"N": 3, "S": 5, "d": 7, "D": 9},
    hints=(
        "y = q M for each question: which axis of the table is summed away?",
        "A question has d components, and so has each column of the table: the table's rows belong to the keys.",
        "The matrix product of (N, S, d) with (N, d, D) is (N, S, D), for each day by itself.",
    ),
)


@read.test("each question times the table of its day")
def looked_up(probe: Probe, read: Any, nn: Any) -> Any:
    N, S, d, D = probe["N S d D"]
    return read(probe.normal(N, d, D), directions(probe, N, S, d))


@read.test("a single question of a single day")
def one_question(probe: Probe, read: Any, nn: Any) -> Any:
    d, D = probe["d D"]
    return read(probe.normal(1, d, D), directions(probe, 1, 1, d))


@read.test("as many questions as days, and as many components of a value as of a key")
def square(probe: Probe, read: Any, nn: Any) -> Any:
    N, d = probe["N d"]
    return read(probe.normal(N, d, d), directions(probe, N, N, d))


@read.test("the right gradients reach the table and the questions")
def read_gradients(probe: Probe, read: Any, nn: Any) -> Any:
    N, S, d, D = probe["N S d D"]
    table, q = nn.Parameter(probe.normal(N, d, D)), nn.Parameter(directions(probe, N, S, d))
    read(table, q).pow(2).sum().backward()
    return gradients(probe, table=table, q=q)


delta = Check(
    "delta",
    title="The delta rule",
    sizes={"N": 3, "d": 5, "D": 7},
    hints=(
        "First read: what does the table answer to k now? That has the shape of v.",
        "Do not write v, but the difference between v and the answer; write it with the same key, as in `write`.",
        "`(k.unsqueeze(1) @ table).squeeze(1)` is the answer, (N, D). The strength multiplies the added "
        "part, and nothing else.",
    ),
)


@delta.test("the table, corrected at the key by the whole difference")
def corrected(probe: Probe, delta: Any, nn: Any) -> Any:
    return delta(*pair_and_table(probe))


@delta.test("afterwards the key brings back the value told last")
def told_last(probe: Probe, delta: Any, nn: Any) -> Any:
    table, k, v = pair_and_table(probe)
    N, d, D = probe["N d D"]
    before = probe.shaped(delta(table, k, v), N, d, D)
    after = probe.shaped(delta(before, k, 2 - v), N, d, D)
    return (k.unsqueeze(1) @ after).squeeze(1)


@delta.test("with a strength of 0.3, three tenths of the correction; with 0, none")
def weaker(probe: Probe, delta: Any, nn: Any) -> Any:
    table, k, v = pair_and_table(probe)
    return {"strength=0.3": delta(table, k, v, 0.3), "strength=0": delta(table, k, v, strength=0.0)}


@delta.test("into a table of zeros it is the plain product")
def first_pair(probe: Probe, delta: Any, nn: Any) -> Any:
    table, k, v = pair_and_table(probe)
    return delta(torch.zeros_like(table), k, v)


@delta.test("the old table stays unchanged")
def old_table_kept(probe: Probe, delta: Any, nn: Any) -> Any:
    table, k, v = pair_and_table(probe)
    start = delta(table, k, v)
    once = probe.value(delta(start, k, v + 1))
    return {N_("the first new table"): probe.value(start), N_("the second new table"): once}


@delta.test("the right gradients reach the table, the key and the value")
def delta_gradients(probe: Probe, delta: Any, nn: Any) -> Any:
    table, k, v = (nn.Parameter(each) for each in pair_and_table(probe))
    delta(table, k, v, 0.6).pow(2).sum().backward()
    reached = gradients(probe, table=table, k=k, v=v)
    if isinstance(reached["k"], torch.Tensor):
        # Without its part along the key: that part depends on whether the code divides by the key's length, which is 1.
        along = probe.value(k)
        reached["k"] = reached["k"] - (reached["k"] * along).sum(-1, keepdim=True) * along
    return reached


@delta.test(ON_GPU)
def delta_on_gpu(probe: Probe, delta: Any, nn: Any) -> Any:
    with probe.gpu():
        return probe.located(delta(*(probe.there(each) for each in pair_and_table(probe))))
