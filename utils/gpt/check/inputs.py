"""A comparison that several questions share."""

import torch


def moved(before: torch.Tensor, after: torch.Tensor) -> bool:
    """Return whether two results differ by more than rounding, relative to the largest number of `before`."""
    # 1e-5: some 80 times the precision of float32, so that sums in another order count as equal.
    return bool((before - after).abs().max() > 1e-5 * before.abs().max())
