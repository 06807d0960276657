"""The checks that other courses publish for the functions of our lessons, written anew.

Seeds, sizes, printed values and limits are theirs, as facts, each with its source; the code is our own. A test takes
the student's object and the reference's, and raises an AssertionError if the answer does not pass.

- `cs231n.py`: Stanford's CS231n, assignment 3, editions 2021 to 2024, 2025 and 2026
- `cs336.py`: Stanford's CS336, assignment 1, edition 2024
- `coursera.py`: DeepLearning.AI, Deep Learning Specialization, course 5, week 4
- `d2l.py`: Dive into Deep Learning, `check_shape`
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

PublishedTest = Callable[[Any, Any], None]


@dataclass(frozen=True)
class Checker:
    """One edition of a course's checks. tests: question, for example `captioning/multi_head_attention` -> test."""

    name: str
    source: str
    tests: Mapping[str, PublishedTest]

    def passes(self, question: str, student: Any, right: Any) -> bool:
        """Return whether an answer passes; an exception of its own is a failure. right: the reference's object."""
        try:
            self.tests[question](student, right)
        except Exception:  # what student code raises is its own choice
            return False
        return True


def relative_error(got: torch.Tensor, expected: torch.Tensor) -> float:
    """Return max |g - e| / max(1e-8, |g| + |e|), CS231n's measure; NaN in `got` gives NaN, which is below no limit."""
    got, expected = got.detach().double(), expected.detach().double()
    return float(((got - expected).abs() / (got.abs() + expected.abs()).clamp(min=1e-8)).max())


def near(got: torch.Tensor, expected: torch.Tensor, rtol: float, atol: float, what: str) -> None:
    """Assert |g - e| ≤ atol + rtol |e| everywhere, and equal shapes."""
    assert tuple(got.shape) == tuple(expected.shape), f"{what}: shape {tuple(got.shape)}"
    assert bool(torch.isclose(got.detach().double(), expected.detach().double(), rtol=rtol, atol=atol).all()), what
