"""What several questions share."""

import torch


def moved(one: torch.Tensor, other: torch.Tensor) -> bool:
    """True when two results differ by more than rounding of the largest: after a softmax all differences are small."""
    return bool((one - other).abs().max() > 1e-5 * one.abs().max())
