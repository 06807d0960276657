"""Trained layers as an explorer's page reads them: their sizes, and all weights in one row of float16 numbers.

Half precision halves the page; what the page shows differs by less than a thousandth of a standard deviation.
"""

import base64
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import nn

from utils.common.errors import WorkbookError
from utils.common.messages import N_


class CannotExport(WorkbookError):
    """A network has a part that the explorer's page does not know how to compute."""


def unknown(part: object) -> CannotExport:
    """Return the error for a part that is not of the lesson's form."""
    return CannotExport(
        N_(
            "The explorer cannot run this network in the page, because it does not know the part {part}; the picture "
            "shows what your network does."
        ),
        part=type(part).__name__,
    )


def packed(tensors: Iterable[torch.Tensor | None]) -> str:
    """Return tensors, flattened one after the other, as float16 in base64; None is left out.

    Raises: CannotExport when a number is NaN or infinite, or too large for half precision.
    """
    numbers = [one.detach().flatten().cpu().double().numpy() for one in tensors if one is not None]
    row = np.concatenate(numbers)
    if not np.all(np.abs(row) <= np.finfo(np.float16).max):
        raise CannotExport(
            N_(
                "The explorer cannot show this network in the page: some weights are NaN, infinite or above 65,000, "
                "so that its training went wrong."
            )
        )
    return base64.b64encode(row.astype("<f2").tobytes()).decode()


def exact(tensor: torch.Tensor) -> str:
    """Return a probe's numbers as float32 in base64."""
    return base64.b64encode(tensor.detach().cpu().numpy().astype("<f4").tobytes()).decode()


def linear_of(layer: Any, *, bias: bool = True) -> list[torch.Tensor]:
    """Return the weight (out, in) and the bias (out,) of a linear layer. Raises: CannotExport for anything else."""
    if not isinstance(layer, nn.Linear) or (layer.bias is not None) is not bias:
        raise unknown(layer)
    return [layer.weight, *([layer.bias] if bias else [])]
