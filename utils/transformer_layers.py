"""The Transformer's layers: the names that the field knows. How: `utils/captioning/layers.py`, worth reading."""

import copy
import math
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from utils.captioning import layers
from utils.captioning.layers import (
    TransformerDecoder,
    TransformerDecoderLayer,
    check_even,
    check_heads,
    clones,
)
from utils.captioning.scaffolds import install

__all__ = [
    "F",
    "MultiHeadAttention",  # noqa: F822 - it and the next are looked up below
    "PositionalEncoding",  # noqa: F822
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "check_even",
    "check_heads",
    "clones",
    "copy",
    "install",
    "math",
    "nn",
    "torch",
]


def __getattr__(name: str) -> Any:
    """Return the scaffolds, or what `install` has put in their places since."""
    if name in layers.SCAFFOLDS:
        return getattr(layers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
