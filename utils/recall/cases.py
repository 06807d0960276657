"""The small cases of the lesson `recall`."""

from typing import Any

import torch

from utils.checks.engine.cases import CaseBook
from utils.checks.engine.small import Small
from utils.common.messages import N_

BOOK = CaseBook(
    {
        "N": N_("day {number}"),
        "S": N_("question {number}"),
        "T": N_("told pair {number}"),
        "W": N_("pair {number} of the window"),
        "guest": N_("guest {number}"),
        "d": N_("row {number}"),
        "D": N_("column {number}"),
        "component": N_("component {number}"),
        "V": N_("room {number}"),
    }
)
BACK = N_("what is read back")
TABLE = N_("the new table")
# Whole-numbered directions, and one that has the length 1 as well: 0.6² + 0.8² = 1.
DIRECTIONS = ((1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (-1.0, 0.0))

# ---- memories ----------------------------------------------------------------------------------------

READ_ALL = ("N S T d D", "1 1 2 2 1", "1 2 3 2 1", "1 1 2 2 2", "1 2 2 3 2", "2 1 2 2 1", "2 2 3 2 2")


def questions_and_pairs(small: Small, high: int = 4) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    q = small.numbers("q", "N S d", high, words=("N", "S", "component"))
    k = small.numbers("k", "N T d", high, words=("N", "T", "component"))
    return q, k, small.numbers("v", "N T D", 5, words=("N", "T", "component"))


@BOOK.case("read_all", *READ_ALL)
def all_read(small: Small, read_all: Any, nn: Any) -> None:
    small.show(BACK, small.call(read_all, *questions_and_pairs(small)), ("N", "S", "component"))


@BOOK.case("read_all", "N S T d D", "1 1 2 2 1", fallback=True)
def read_all_gradient(small: Small, read_all: Any, nn: Any) -> None:
    inputs = [each.requires_grad_() for each in questions_and_pairs(small)]
    result = read_all(*inputs)
    if result.requires_grad:
        result.sum().backward()
    for name, each, axes in zip("qkv", inputs, ("N S d", "N T d", "N T D"), strict=True):
        small.show_gradient(f"∂ Σy / ∂ {name}", each, (*axes.split()[:2], "component"))


WRITE = ("N d D", "1 2 2", "1 2 3", "1 3 2", "2 2 2", "2 2 3")


@BOOK.case("write", *WRITE)
def written(small: Small, write: Any, nn: Any) -> None:
    table = small.numbers("table", "N d D", 5)
    k, v = small.numbers("k", "N d", words=("N", "component")), small.numbers("v", "N D", words=("N", "component"))
    small.show(TABLE, small.call(write, table, k, v), "N d D")


@BOOK.case("write", *WRITE[:3])
def written_twice(small: Small, write: Any, nn: Any) -> None:
    table = small.numbers("table", "N d D", 5)
    k, v = small.numbers("k", "N d", words=("N", "component")), small.numbers("v", "N D", words=("N", "component"))
    handed = table.clone()
    small.show(TABLE, write(handed, k, v), "N d D")
    small.show(N_("the old table afterwards"), handed, "N d D")


@BOOK.case("write", "N d D", "1 2 2", fallback=True)
def write_gradient(small: Small, write: Any, nn: Any) -> None:
    inputs = [small.numbers("table", "N d D", 5), small.numbers("k", "N d", 4, 1), small.numbers("v", "N D", 4, 1)]
    inputs = [each.requires_grad_() for each in inputs]
    result = write(*inputs)
    if result.requires_grad:
        result.sum().backward()
    for name, each, axes in zip(("table", "k", "v"), inputs, ("N d D", "N d", "N D"), strict=True):
        small.show_gradient(f"∂ Σ / ∂ {name}", each, axes)


@BOOK.case("read", "N S d D", "1 1 2 2", "1 2 2 3", "2 1 2 2", "2 2 2 2", "1 2 3 2", "2 2 2 3")
def looked_up(small: Small, read: Any, nn: Any) -> None:
    table = small.numbers("table", "N d D", 5)
    q = small.numbers("q", "N S d", words=("N", "S", "component"))
    small.show(BACK, small.call(read, table, q), ("N", "S", "component"))


@BOOK.case("read", "N S d D", "1 1 2 2", fallback=True)
def read_gradient(small: Small, read: Any, nn: Any) -> None:
    table = small.numbers("table", "N d D", 5).requires_grad_()
    q = small.numbers("q", "N S d", 4, 1, words=("N", "S", "component")).requires_grad_()
    result = read(table, q)
    if result.requires_grad:
        result.sum().backward()
    small.show_gradient("∂ Σy / ∂ table", table, "N d D")
    small.show_gradient("∂ Σy / ∂ q", q, ("N", "S", "component"))


# ---- the wall, the window, the law -------------------------------------------------------------------


def directed(small: Small, name: str, axes: tuple[str, ...], count: int) -> torch.Tensor:
    """Give `count` rows of two components, each of length 1."""
    rows = torch.tensor([DIRECTIONS[small.take(len(DIRECTIONS), 0.3)] for _ in range(count)])
    shape = (*(small[axis] for axis in axes[:-1]), 2)
    return small.given_as(name, rows.reshape(shape), " ".join(axes))


@BOOK.case("answers", "N guest V", "1 2 2", "1 3 2", "1 3 3", "1 4 3", "2 2 2", "2 3 3")
def answered(small: Small, answers: Any) -> None:
    """The room vectors point in different directions; no two scores are equal in a stored case by chance alone."""
    N, T, V = small["N guest V"]
    keys = directed(small, "keys", ("N", "guest", "component"), N * T)
    rooms = small.integers("rooms", "N guest", 0, V)
    angles = torch.tensor([(0.96, 0.28), (-0.28, 0.96), (-0.8, -0.6)])[:V]
    words = small.given_as("words", angles, "V component")
    small.show(N_("the answers"), small.call(answers, keys, rooms, words), "N guest")
    scores = keys @ (keys.transpose(1, 2) @ words[rooms]) @ words.T
    best = scores.topk(2, dim=-1).values
    # Without a clear winner right answers could differ by rounding: such a tape is of no use, and the search drops it.
    if bool((best[..., 0] - best[..., 1] < 1e-3).any()):
        raise ValueError("two rooms are alike")


# Four components, so that the scale is a half: √4. A score is then twice the product of the two repeated numbers.
WINDOW = ("N S T D", "1 1 2 1", "1 1 2 2", "1 1 3 1", "1 2 2 1", "2 1 1 1", "2 1 1 2")


def repeated(small: Small, name: str, axis: str, high: int) -> torch.Tensor:
    """Give vectors of four equal components, (N, `axis`, 4)."""
    N, length = small[f"N {axis}"]
    numbers = torch.tensor([float(small.take(high, 0.2)) for _ in range(N * length)]).reshape(N, length, 1)
    return small.given_as(name, numbers.repeat(1, 1, 4), f"N {axis} component")


@BOOK.case("window", *WINDOW)
def looked_back(small: Small, window: Any, nn: Any) -> None:
    q, k = repeated(small, "q", "S", 2), repeated(small, "k", "T", 2)
    v = small.numbers("v", "N T D", 9, words=("N", "T", "component"))
    small.show(BACK, small.call(window, q, k, v, small.number("width", 1, 3)), ("N", "S", "component"))


@BOOK.case("window", "N S T D", "1 1 2 1", "1 1 3 1", fallback=True)
def wider_than_the_day(small: Small, window: Any, nn: Any) -> None:
    q, k = torch.zeros(1, 1, 4), torch.zeros(1, small["T"], 4)
    small.say(N_("q and k are zeros, so that all weights are equal; width = 5"))
    v = small.numbers("v", "N T D", 9, words=("N", "T", "component"))
    small.show(BACK, window(q, k, v, 5), ("N", "S", "component"))


@BOOK.case("window", "N S T D", "1 1 3 1", fallback=True)
def window_gradient(small: Small, window: Any, nn: Any) -> None:
    q, k = torch.zeros(1, 1, 4, requires_grad=True), torch.ones(1, small["T"], 4, requires_grad=True)
    v = small.numbers("v", "N T D", 9, 1, words=("N", "T", "component")).requires_grad_()
    small.say(N_("q is 0 and k is 1 in each component; width = 2"))
    result = window(q, k, v, 2)
    small.show(BACK, result, ("N", "S", "component"))
    if result.requires_grad:
        result.pow(2).sum().backward()
    for name, each in (("q", q), ("k", k), ("v", v)):
        small.show(f"∂ Σy² / ∂ {name} ≠ 0", each.grad is not None)
        small.show_gradient(f"∂ Σy² / ∂ {name}", each, ("N", "T", "component"))


COMPARED = (
    (N_("d = 8, T = 8 against d = 16, T = 32"), (8, 8), (16, 32)),
    (N_("d = 16, T = 8 against d = 16, T = 9"), (16, 8), (16, 9)),
    (N_("d = 8, T = 64 against d = 32, T = 64"), (8, 64), (32, 64)),
    (N_("d = 10, T = 40 against d = 20, T = 100"), (10, 40), (20, 100)),
)


@BOOK.case("axis")
def compared(small: Small, axis: Any) -> None:
    """Whether the second of two tables has the same x, a smaller or a larger one."""
    name, first, second = COMPARED[small.take(len(COMPARED), 0.3)]
    small.say(name)
    before, after = float(axis(*first)), float(axis(*second))
    same = abs(after - before) <= 1e-6 * max(abs(after), abs(before))
    small.show(
        N_("the second x is"),
        N_("the same") if same else N_("larger") if after > before else N_("smaller"),
    )


# ---- the delta rule, and what is kept ----------------------------------------------------------------

DELTA = ("N D", "1 1", "1 2", "1 3", "2 2")


def keyed(small: Small) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Give a table (N, 2, D), a key (N, 2) of length 1, and a value (N, D)."""
    N, D = small["N D"]
    numbers = torch.tensor([float(small.take(6, 0.0)) for _ in range(N * 2 * D)]).reshape(N, 2, D)
    table = small.given_as("table", numbers, "N d D")
    k = directed(small, "k", ("N", "component"), N)
    return table, k, small.numbers("v", "N D", 9, words=("N", "component"))


@BOOK.case("delta", *DELTA)
def corrected(small: Small, delta: Any, nn: Any) -> None:
    table, k, v = keyed(small)
    handed = table.clone()
    small.show(TABLE, small.call(delta, handed, k, v), "N d D")
    small.show(N_("the old table afterwards"), handed, "N d D")


@BOOK.case("delta", *DELTA)
def half_corrected(small: Small, delta: Any, nn: Any) -> None:
    table, k, v = keyed(small)
    small.say("strength = 0.5")
    small.show(TABLE, small.call(delta, table, k, v, 0.5), "N d D")


@BOOK.case("delta", "N D", "1 1", fallback=True)
def delta_gradient(small: Small, delta: Any, nn: Any) -> None:
    table, k, v = (each.clone().requires_grad_() for each in keyed(small))
    result = delta(table, k, v)
    if result.requires_grad:
        result.pow(2).sum().backward()
    small.show_gradient("∂ Σ² / ∂ table", table, "N d D")
    small.show_gradient("∂ Σ² / ∂ v", v, ("N", "component"))


@BOOK.case("numbers_kept")
def kept(small: Small, numbers_kept: Any) -> None:
    T, d, heads = small.number("T", 1, 7), small.number("d", 2, 8), small.number("heads", 1, 4)
    cache, table = numbers_kept(T, d, heads)
    small.show(N_("numbers in a cache"), torch.tensor(float(cache)))
    small.show(N_("numbers in tables"), torch.tensor(float(table)))
