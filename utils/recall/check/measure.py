"""Sections 4 to 6 and 9: answers of random tables, a window, questions on its code, the law's axis, numbers kept."""

import itertools
from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.own_code import Draw, Gap, Inputs
from utils.checks.engine.probe import ON_GPU, Probe, gradients
from utils.checks.own_code import OwnCode
from utils.common.messages import N_
from utils.recall.check.memory import directions, three

answers = Check(
    "answers",
    title="What a table answers",
    sizes={"N": 3, "T": 11, "d": 5, "V": 7},
    hints=(
        "`words[rooms]` has the vector of each guest's room. These are the values; the keys are given.",
        "Write all pairs of a day and ask for all its keys: you get the answers, (N, T, d). Compare each "
        "with all room vectors.",
        "The dot products with all rooms are (N, T, V): the answers times `words.T`. The answer is the place of "
        "the largest, along the last axis.",
    ),
)


def day(probe: Probe, pairs: int | None = None) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return keys (N, T, d), rooms (N, T), words (V, d)."""
    N, T, d, V = probe["N T d V"]
    T = pairs or T
    return directions(probe, N, T, d), probe.integers(0, V, N, T), directions(probe, V, d)


@answers.test("for each guest, the room whose vector is most like the answer")
def answered(probe: Probe, answers: Any) -> Any:
    return answers(*day(probe))


@answers.test("so many guests that most answers are wrong, in the same way as the reference's")
def crowded(probe: Probe, answers: Any) -> Any:
    return answers(*day(probe, pairs=60))


@answers.test("perpendicular keys and rooms: every answer is right")
def all_right(probe: Probe, answers: Any) -> Any:
    d, N = probe["d N"]
    keys = torch.eye(d).expand(N, d, d)
    return answers(keys, probe.integers(0, d, N, d), torch.eye(d))


@answers.test("one guest on one day")
def one_guest(probe: Probe, answers: Any) -> Any:
    keys, rooms, words = day(probe)
    return answers(keys[:1, :1], rooms[:1, :1], words)


@answers.test(ON_GPU)
def answers_on_gpu(probe: Probe, answers: Any) -> Any:
    with probe.gpu():
        return probe.located(answers(*(probe.there(each) for each in day(probe))))


window = Check(
    "window",
    title="A window",
    sizes={"N": 3, "S": 5, "T": 11, "d": 7, "D": 13},
    hints=(
        "Which pairs were told last? Leave out the others before you compute anything, from the keys and "
        "from the values.",
        "A slice that begins at minus the width has the last ones, and all of them if there are fewer.",
        "`k[:, -width:]` and the same slice of v. Then scores over √d, softmax over the pairs, times the values.",
    ),
)


def keys_apart(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return q (N, S, d), k (N, T, d), v (N, T, D), with keys and queries so long that the softmax is not flat."""
    q, k, v = three(probe)
    return 3 * q, 2 * k, v


@window.test("softmax over √d of the last four pairs")
def last_four(probe: Probe, window: Any, nn: Any) -> Any:
    return window(*keys_apart(probe), 4)


@window.test("a window of one pair brings back the last value")
def last_alone(probe: Probe, window: Any, nn: Any) -> Any:
    return window(*keys_apart(probe), width=1)


@window.test("a window as wide as the day, and a wider one")
def all_pairs(probe: Probe, window: Any, nn: Any) -> Any:
    q, k, v = keys_apart(probe)
    T = probe["T"]
    return {N_("as wide"): window(q, k, v, T), N_("wider"): window(q, k, v, T + 5)}


@window.test("the right gradients reach queries, keys and values; none reaches what the window leaves out")
def window_gradients(probe: Probe, window: Any, nn: Any) -> Any:
    q, k, v = (nn.Parameter(each) for each in keys_apart(probe))
    window(q, k, v, 4).pow(2).sum().backward()
    return gradients(probe, q=q, k=k, v=v)


@window.test(ON_GPU)
def window_on_gpu(probe: Probe, window: Any, nn: Any) -> Any:
    with probe.gpu():
        return probe.located(window(*(probe.there(each) for each in keys_apart(probe)), 4))


def asked_inputs(probe: Probe, draw: Draw) -> Inputs:
    N, S, T, d, D = probe["N S T d D"]
    # Short keys and queries, so that no pair in the window is looked at for almost nothing.
    keys, queries = draw.whole("k", N, T, d) % 2, draw.whole("q", N, S, d) % 3
    return {"k": keys, "q": queries, "v": draw.whole("v", N, T, D)}


def asked_result(probe: Probe, window: Any, inputs: Inputs) -> Any:
    return window(inputs["q"], inputs["k"], inputs["v"], 4)


own_code = OwnCode(
    "own_code",
    title="Your own code",
    sizes={"N": 2, "S": 4, "T": 5, "d": 3, "D": 7},
    gap=Gap("window", "y = window(q, k, v, 4)", "y[n, s]", asked_inputs, asked_result),
)


axis = Check(
    "axis",
    title="The axis of the law",
    sizes={},
    hints=(
        "From d = 8 to d = 16, by which factor does the number of guests grow for which two thirds are "
        "right? And from 16 to 32?",
        "A factor of two in d goes with a factor of four in T. Which power of d is that?",
        "You want a number that stays the same when d doubles and T becomes four times as large.",
    ),
)


def orders(axis: Any, probe: Probe, pairs: tuple[tuple[int, int], ...]) -> dict[str, str]:
    """Return how the x of each pair compares with that of the next one: "<", "=" or ">"."""
    places = {(d, T): float(probe.value(axis(d, T))) for d, T in pairs}
    # A millionth: rounding of another formula for the same number.
    return {
        f"axis{here} … axis{there}": "="
        if abs(places[here] - places[there]) <= 1e-6 * max(abs(places[here]), abs(places[there]))
        else "<"
        if places[here] < places[there]
        else ">"
        for here, there in itertools.pairwise(pairs)
    }


@axis.test("tables that forget alike have the same x")
def alike(probe: Probe, axis: Any) -> Any:
    return orders(axis, probe, ((8, 8), (16, 32), (32, 128), (64, 512), (8, 8)))


@axis.test("more guests, larger x, for the same table")
def more_guests(probe: Probe, axis: Any) -> Any:
    return orders(axis, probe, ((16, 8), (16, 9), (16, 32), (16, 256), (16, 4096)))


@axis.test("a wider table, smaller x, for the same guests")
def wider_table(probe: Probe, axis: Any) -> Any:
    return orders(axis, probe, ((8, 64), (12, 64), (16, 64), (24, 64), (32, 64)))


@axis.test("other tables and other numbers of guests, in the right order")
def in_order(probe: Probe, axis: Any) -> Any:
    # Neighbours that another law would hold for alike: T / d, T - d, T / √d, T / log d, T - d², T / d³.
    pairs = ((8, 16), (16, 32), (8, 24), (9, 30), (25, 50), (8, 6), (64, 12), (4, 20), (5, 29), (2, 8), (4, 64))
    # Neighbours that only an exponential of d, or only a difference of T and d, orders in this way.
    apart = ((10, 8), (20, 800), (10, 30), (40, 100))
    return orders(axis, probe, (*pairs, *apart))


numbers_kept = Check(
    "numbers_kept",
    title="Numbers that are kept",
    sizes={},
    hints=(
        "How many numbers does one head keep for one pair in a cache? And how many in a table?",
        "A pair has a key and a value, each of d components. A table has d rows and d columns, and no T.",
        "Both are multiplied by the number of heads, because each head has its own memory.",
    ),
)


@numbers_kept.test("one head")
def one_head(probe: Probe, numbers_kept: Any) -> Any:
    return {f"T = {T}, d = {d}": probe.several(numbers_kept(T, d), 2) for T, d in ((1, 7), (5, 7), (32, 16), (3, 64))}


@numbers_kept.test("several heads")
def several_heads(probe: Probe, numbers_kept: Any) -> Any:
    return {
        f"T = {T}, d = {d}, heads = {heads}": probe.several(numbers_kept(T, d, heads), 2)
        for T, d, heads in ((5, 7, 3), (4096, 128, 32), (64, 128, 32))
    }
