"""What several questions share: a comparison, and a call that is made twice."""

from collections.abc import Callable
from typing import Any

import torch

from utils.checks.engine.probe import Probe


def moved(before: torch.Tensor, after: torch.Tensor) -> bool:
    """Return whether two results differ by more than rounding, relative to the largest number of `before`."""
    return bool((before - after).abs().max() > 1e-5 * before.abs().max())


def twice(probe: Probe, call: Callable[[], Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the results of two calls, which differ where chance takes part."""
    return probe.value(call()), probe.value(call())
