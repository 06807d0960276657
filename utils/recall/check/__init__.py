"""The public checks of the lesson `recall`, which students run while they work. They hold no solution.

    measure.py   answers, window, own_code, axis, numbers_kept
    memory.py    read_all, write, read, delta
    patient.py   heal

The arguments of a test after `probe` are the arguments of the notebook's call: `check.write(write, nn)` runs
`added(probe, write, nn)`. A test must take them all, whether it needs them or not.

This package exports all questions, in the lesson's order, and the inputs that the hidden tests share with them.
"""

from utils.recall.check.measure import answers, axis, day, numbers_kept, orders, own_code, window
from utils.recall.check.memory import delta, directions, pair_and_table, read, read_all, three, write
from utils.recall.check.patient import LOSSES, heal

__all__ = [  # noqa: RUF022 - in the lesson's order
    "read_all",
    "write",
    "read",
    "answers",
    "window",
    "own_code",
    "axis",
    "delta",
    "heal",
    "numbers_kept",
    # shared with the hidden tests
    "LOSSES",
    "day",
    "directions",
    "orders",
    "pair_and_table",
    "three",
]
