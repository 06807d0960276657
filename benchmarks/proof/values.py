"""Values without sense, up to 2 MB: what it costs the grader to look at them and to search for their mistakes.

A value is packed as the sandbox packs it, crosses as a frame, and comes back from every test of every exam of a lesson,
as if a submission returned nothing else. Time is this thread's processor time without that of reference and mistakes,
which a class shares; memory is what Python and NumPy allocate for it, at most (`tracemalloc`).
"""

import random
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from autograder.examine.exam_run import MAX_STOPS, Patience
from autograder.exams import reference
from autograder.exams.discreet import judge_discreetly
from autograder.exams.exam import OWN_SEED, exams_of
from autograder.lesson.text import Lesson
from autograder.sandbox.inside import wire
from utils.checks.engine.failure import STOPPED, Failure
from utils.checks.engine.observation import Observation
from utils.checks.engine.probe import bring
from utils.checks.engine.question import Test

# The bars: processor seconds and megabytes for all verdicts of one notebook.
MOST_SECONDS, MOST_MEGABYTES = 2.0, 300.0
MOST_BYTES = 2 * 2**20
LETTERS = ("a", "'\"\\", "é", "\U000e0001", "\n\x00", "字")
NUMBERS: tuple[Any, ...] = (0, 1.0, -0.0, 1e300, float("nan"), float("inf"), 2**62, True, None)


@dataclass
class Cost:
    """What one value cost."""

    seconds: float
    megabytes: float
    passed: int


def value(rng: random.Random) -> Any:
    """Return a value of random form: wide, deep, long keys, many tensors, large ones, texts."""
    size = int(10 ** rng.uniform(0, 4.1))
    return rng.choice(SHAPES)(rng, size)


def _leaf(rng: random.Random) -> Any:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(NUMBERS)
    if kind == 1:
        return rng.choice(LETTERS) * rng.randrange(50)
    return torch.rand([rng.randrange(4) for _ in range(rng.randrange(4))])


def _wide(rng: random.Random, size: int) -> Any:
    leaf = _leaf(rng)
    return [leaf if rng.random() < 0.9 else _leaf(rng) for _ in range(size)]


def _keys(rng: random.Random, size: int) -> Any:
    letters = rng.choice(LETTERS) * rng.choice((1, 50, 150, 199, 201, 10_000))
    tree: Any = {f"{number}{letters}"[:20_000]: _leaf(rng) for number in range(min(size, 2_000_000 // len(letters)))}
    for _ in range(rng.randrange(8)):
        tree = {letters: tree}
    return tree


def _deep(rng: random.Random, size: int) -> Any:
    tree: Any = [_leaf(rng)] * max(1, size // 7)
    for _ in range(rng.randrange(7)):
        tree = rng.choice((lambda inner: [inner], lambda inner: (inner, inner), lambda inner: {"a": inner}))(tree)
    return tree


def _tensors(rng: random.Random, size: int) -> Any:
    return [torch.rand(rng.choice(((), (1,), (3, 2), (0,)))) for _ in range(min(size, 9_000))]


def _same(rng: random.Random, size: int) -> Any:
    return [torch.rand(rng.choice((10, 1_000, 2**17, 2**18)))] * rng.choice((1, 2, 4, min(size, 40)))


def _large(rng: random.Random, size: int) -> Any:
    axes = rng.randrange(1, 32)
    shape = [1] * (axes - 1) + [min(2**18, 20 * size)]
    rng.shuffle(shape)
    kind = rng.choice((torch.float32, torch.float64, torch.int8, torch.bool))
    return torch.full(shape, rng.choice((0, 1, float("nan"))) if kind.is_floating_point else 1, dtype=kind)


def _texts(rng: random.Random, size: int) -> Any:
    return [rng.choice(LETTERS) * rng.choice((1, 100, 9_999)) for _ in range(min(size, 200))]


SHAPES: tuple[Callable[[random.Random, int], Any], ...] = (_wide, _keys, _deep, _tensors, _same, _large, _texts)


def cost(lesson: Lesson, made: Any, *, memory: bool) -> Cost:
    """Return the cost of a notebook whose every answer returns this value: its time, or its memory."""
    try:
        tensors: wire.Tensors = {}
        frame = wire.frame({"value": wire.pack(made, tensors)}, tensors)
    except (TypeError, RecursionError):
        return Cost(0.0, 0.0, 0)  # the sandbox's own error, which is a short text
    header, payload = wire.HEADER.unpack(frame[: wire.HEADER.size])
    left, patience, passed = wire.Budget(values=wire.VALUES), Patience(), 0
    keys = [reference.key_of(lesson, exam, OWN_SEED) for exam in exams_of(lesson).values()]
    sent = 0
    if memory:
        tracemalloc.start()  # which makes everything three times as slow
    started, key_before = time.thread_time(), reference.KEY_TIME.seconds
    for key in keys:
        stops = 0

        def run(_test: Test) -> Observation:
            nonlocal stops, sent
            sent += len(frame)
            if stops >= MAX_STOPS or sent > MOST_BYTES:
                return Observation(failure=Failure(STOPPED, "not run"))
            try:
                wire.check_lengths(header, payload)
                start = wire.HEADER.size
                said, numbers = wire.parse(frame[start : start + header], frame[start + header :])
                return Observation(bring(wire.unpack(said["value"], numbers, of_all=left)))
            except wire.WireError:
                stops += 1
                return Observation(failure=Failure(STOPPED, "too much"))

        with patience.of_question():
            verdicts = judge_discreetly(key.question, key, run, patience)
        passed += sum(verdict.passed for verdict in verdicts)
    seconds = time.thread_time() - started - (reference.KEY_TIME.seconds - key_before)
    peak = tracemalloc.get_traced_memory()[1] if memory else 0
    tracemalloc.stop()
    return Cost(0.0 if memory else seconds, peak / 2**20, passed)


def costs(lesson: Lesson, number: int, seed: int = 0) -> Iterator[tuple[int, Cost]]:
    """Yield the cost of so many values, each with its own seed: its time, but its memory for each tenth."""
    for each in range(seed, seed + number):
        yield each, cost(lesson, value(random.Random(each)), memory=each % 10 == 9)
