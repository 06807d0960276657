"""Nobody computes the inputs of hidden tests from those of others, nor from the seed of the weights, which is told.

Both ways once worked: inputs' seeds were CRC-32s of texts with one beginning, and a CRC runs backwards; the seed of the
weights was a hash of a number of 32 bits and of known names, which can be tried out. Each attack wins here against
seeds as they were, so that it would be noticed again.
"""

import hashlib
import random
import zlib
from collections.abc import Callable

import numpy as np
import pytest

from autograder.common.course import WORKBOOK
from autograder.common.keyed import BITS
from autograder.examine.work import SEEDS, seed_of
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from utils.checks.engine.probe import Probe

SECRET = "3f" * 32
NAMES = list(
    {
        (exam.name, test): None
        for lesson in WORKBOOK.lessons
        for exam in exams_of(Lesson.load(lesson, WORKBOOK)).values()
        for test in exam.tests
    }
)  # each once: a lesson's name is part of the seed from which those of its tests come
Seeds = Callable[[int, str, str], tuple[int, int]]


def as_they_were(seed: int, question: str, test: str) -> tuple[int, int]:
    name = f"{seed % 2**32}/{question}/{test}"
    return zlib.crc32(name.encode()), int(hashlib.sha256(f"weights/{name}".encode()).hexdigest()[:8], 16)


# ---- a CRC, backwards ---------------------------------------------------------------------------------------------


def entry(number: int) -> int:
    """Return an entry of the table of CRC-32: what eight shifts make of a byte."""
    for _ in range(8):
        number = number >> 1 ^ 0xEDB88320 * (number & 1)
    return number


ENTRIES = [entry(number) for number in range(256)]
BY_HIGH_BYTE = {value >> 24: number for number, value in enumerate(ENTRIES)}


def before(crc: int, text: str) -> int:
    """Return the CRC to which appending `text` has given `crc`."""
    state = crc ^ 0xFFFFFFFF
    for letter in reversed(text.encode()):
        number = BY_HIGH_BYTE[state >> 24]
        state = (state ^ ENTRIES[number]) << 8 | number ^ letter
    return state ^ 0xFFFFFFFF


def test_a_crc_runs_backwards():
    assert before(zlib.crc32(b"12345/loss/one"), "/loss/one") == zlib.crc32(b"12345")


def foretold_by_crc(seeds: Seeds, seed: int) -> int:
    """Return how many inputs' seeds follow from that of one test, whose name is known."""
    first = seeds(seed, *NAMES[0])[0]
    beginning = before(first % 2**32, "/{}/{}".format(*NAMES[0]))
    guesses = [zlib.crc32("/{}/{}".format(*name).encode(), beginning) for name in NAMES[1:]]
    return sum(guess == seeds(seed, *name)[0] for guess, name in zip(guesses, NAMES[1:], strict=True))


# ---- the seed of the weights, tried out ---------------------------------------------------------------------------


def foretold_by_trials(seeds: Seeds, seed: int) -> bool:
    """Return whether one of 20,000 numbers, the right one among them, gives the seed of the weights that was told."""
    told, right = seeds(seed, *NAMES[0])[1], seed % 2**32
    tried = range(max(0, right - 10_000), right + 10_000)
    return any(as_they_were(number, *NAMES[0])[1] == told % 2**32 for number in tried)


def foretold_by_the_told(seeds: Seeds, seed: int) -> bool:
    """Return whether a seed of the weights is a key, or a part, of the inputs' seeds."""
    inputs = {seeds(seed, *name)[0] for name in NAMES}
    told = [seeds(seed, *name)[1] for name in NAMES]
    keys = {reference.test_seeds(number, *name)[0] for number in told[:5] for name in NAMES[:5]}
    return bool(inputs & {*told, *keys, *(number % 2**32 for number in told)})


def test_the_attacks_win_against_seeds_as_they_were():
    assert foretold_by_crc(as_they_were, 123456789) == len(NAMES) - 1 > 200
    assert foretold_by_trials(as_they_were, 123456789)


@pytest.mark.parametrize("number", range(SEEDS))
def test_no_seed_follows_from_others(number):
    seed = seed_of(SECRET, "attention", number)
    assert foretold_by_crc(reference.test_seeds, seed) == 0
    assert not foretold_by_trials(reference.test_seeds, seed)
    assert not foretold_by_the_told(reference.test_seeds, seed)


def test_seeds_have_all_their_bits_and_each_bit_matters():
    seeds = {seed for number in range(SEEDS) for name in NAMES for seed in reference.test_seeds(number + 2**64, *name)}
    assert len(seeds) == 2 * SEEDS * len(NAMES)
    ones = np.array([[seed >> bit & 1 for bit in range(BITS)] for seed in seeds]).mean(axis=0)
    assert BITS == 128 and abs(ones - 0.5).max() < 0.1
    rng = random.Random(0)
    for bit in rng.sample(range(BITS), 16):  # no bit of a seed is dropped on the way to the inputs
        one, other = (Probe({}, seed).normal(3) for seed in (2**127 + 5, (2**127 + 5) ^ (1 << bit)))
        assert not (one == other).any()
