"""A comparison that several questions share."""

import torch


def moved(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether two results differ by more than rounding, relative to the largest number of `one`."""
    return bool((one - other).abs().max() > 1e-5 * one.abs().max())
