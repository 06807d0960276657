"""The Transformer's layers under the names of published code; their content is in `utils/captioning/layers.py`."""

import copy
import math
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from utils.captioning import layers
from utils.captioning.layers import DecoderLayer, TransformerDecoder, check_even, check_heads, clones, use_activation
from utils.captioning.scaffolds import install

__all__ = [
    "DecoderLayer", "F", "MultiHeadAttention", "PositionalEncoding",  # noqa: F822 - two are found by `__getattr__`
    "TransformerDecoder", "TransformerDecoderLayer", "check_even", "check_heads", "clones", "copy",  # noqa: F822
    "install", "math", "nn", "torch", "use_activation",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a scaffold, or the class by which `install` has replaced it."""
    if name in layers.SCAFFOLDS:
        return getattr(layers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
