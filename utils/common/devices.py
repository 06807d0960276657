"""Where a model computes."""

import torch
from torch import nn


def device_of(model: nn.Module) -> torch.device:
    """Return the device of the model's parameters; the CPU for a model that has none."""
    return next((parameter.device for parameter in model.parameters()), torch.device("cpu"))
