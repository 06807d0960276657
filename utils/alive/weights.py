"""Trained layers as an explorer's page reads them: their sizes, and all weights in one row of numbers.

Half precision halves the page; the page's results differ by less than a thousandth of a standard deviation. If the page
is still too large, blocks of 32 weights share a scale, and a weight has 10 bits. `benchmarks/explorers.md` has the
precision and the size of both.
"""

import base64
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import nn

from utils.common.errors import WorkbookError
from utils.common.messages import N_

BITS = 10  # the bits of a weight in a block; with 9 the scores of `captioning` differ by more than half a per cent
BLOCK = 32  # the number of weights that share a scale


class CannotExport(WorkbookError):
    """A network has a part that the explorer's page does not know how to compute."""


def unknown(part: object) -> CannotExport:
    """Return the error for a part of a network that does not have the lesson's form."""
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
    return base64.b64encode(_row(tensors).astype("<f2").tobytes()).decode()


def in_blocks(tensors: Iterable[torch.Tensor | None]) -> str:
    """Return tensors in two thirds of the length of `packed`: blocks of BLOCK integers of BITS bits, in base64.

    The bytes: the number of weights (uint32); then for each block its largest absolute value m (float16, rounded up)
    and the integers i + 2^(BITS - 1), highest bit first; a weight is i m / (2^(BITS - 1) - 1). Zeros fill the last
    block.

    Raises: CannotExport when a number is NaN or infinite, or too large for half precision.
    """
    row = _row(tensors)
    blocks = np.pad(row, (0, -len(row) % BLOCK)).reshape(-1, BLOCK)
    largest = np.abs(blocks).max(axis=1, keepdims=True)
    scale = largest.astype(np.float16)
    scale = np.where(scale < largest, np.nextafter(scale, np.float16(np.inf)), scale)
    middle = 2 ** (BITS - 1)
    integers = np.rint(blocks / np.where(scale > 0, scale.astype(float), 1.0) * (middle - 1)) + middle
    bits = np.unpackbits(integers.astype(">u2").view(np.uint8), axis=1).reshape(len(blocks), BLOCK, 16)[:, :, -BITS:]
    numbers = np.packbits(bits.reshape(len(blocks), -1), axis=1)
    rows = np.concatenate([scale.astype("<f2").view(np.uint8), numbers], axis=1)
    return base64.b64encode(np.uint32(len(row)).astype("<u4").tobytes() + rows.tobytes()).decode()


def _row(tensors: Iterable[torch.Tensor | None]) -> np.ndarray:
    """Return all numbers of tensors as one array. Raises: CannotExport, see `packed`."""
    numbers = [tensor.detach().flatten().cpu().double().numpy() for tensor in tensors if tensor is not None]
    row: np.ndarray = np.concatenate(numbers)
    if not np.all(np.abs(row) <= np.finfo(np.float16).max):
        raise CannotExport(
            N_(
                "The explorer cannot show this network in the page: some weights are NaN, infinite or "
                "above 65,000, so its training went wrong."
            )
        )
    return row


def exact(tensor: torch.Tensor) -> str:
    """Return a probe's numbers as float32 in base64."""
    return base64.b64encode(tensor.detach().cpu().numpy().astype("<f4").tobytes()).decode()


def linear_of(layer: Any, *, bias: bool = True) -> list[torch.Tensor]:
    """Return the weight (out, in) and the bias (out,) of a linear layer. Raises: CannotExport for anything else."""
    if not isinstance(layer, nn.Linear) or (layer.bias is not None) is not bias:
        raise unknown(layer)
    return [layer.weight, *([layer.bias] if bias else [])]
