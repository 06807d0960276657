"""A comparison, and a sentence, that several questions share."""

import torch

from utils.common.messages import N_

# Dropout at a rate of its own draws the dropped numbers anew in each call.
AT_RATE_ONE = N_("everything is dropped if that is the layer's rate, so a second call gives the same")


def moved(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether two results differ by more than rounding, relative to the largest number of `one`."""
    return bool((one - other).abs().max() > 1e-5 * one.abs().max())
