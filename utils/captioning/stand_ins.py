"""Layers in place of the student's, so that one part of a lesson can be judged without the others.

What: `TorchAttention` is torch's own attention with the workbook's arguments; `LearnedEncoding` adds a learned vector
to every position. Models made in `with stand_ins(TorchAttention, LearnedEncoding):` contain them.
Why: a mistake in the attention must not cost the marks of the model that uses it.
Source: torch.nn.MultiheadAttention; learned positions as in GPT (Radford et al. 2018).
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from utils.captioning import layers


class TorchAttention(nn.Module):
    """torch's multi-head attention with the workbook's mask (S, T): true or non-zero where looking is allowed."""

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        self.attention = nn.MultiheadAttention(embed_dim, num_heads, dropout=dropout, batch_first=True)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """(N, S, E), (N, T, E), (N, T, E), (S, T) -> (N, S, E); the mask may have further first axes of length 1.

        Raises: ValueError for a mask on another device, because some versions of torch accept it.
        """
        blocked = None
        if attn_mask is not None:
            if attn_mask.device.type != query.device.type:
                raise ValueError("the mask and the words must be on the same device")
            while attn_mask.dim() > 2 and attn_mask.shape[0] == 1:
                attn_mask = attn_mask[0]
            blocked = attn_mask == 0  # torch's own mask is true where looking is forbidden
        result: torch.Tensor = self.attention(query, key, value, attn_mask=blocked, need_weights=False)[0]
        return result


class LearnedEncoding(nn.Module):
    """Adds a learned vector to every position: (N, S, E) -> (N, S, E)."""

    def __init__(self, embed_dim: int, dropout: float = 0.1, max_len: int = 5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.place = nn.Parameter(torch.randn(1, max_len, embed_dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> (N, S, E)."""
        result: torch.Tensor = self.dropout(x + self.place[:, : x.shape[1]])
        return result


SMALL_FEED_FORWARD = 23  # hidden units: enough for a test, at a hundredth of the cost


@contextmanager
def stand_ins(
    attention: type[nn.Module] | None = None, encoding: type[nn.Module] | None = None, feed_forward: int | None = None
) -> Iterator[None]:
    """Within this context, models are built with these in place of the installed classes and of `FEED_FORWARD`."""
    wanted = {"MultiHeadAttention": attention, "PositionalEncoding": encoding, "FEED_FORWARD": feed_forward}
    kept = {name: getattr(layers, name) for name in wanted}
    for name, value in wanted.items():
        setattr(layers, name, value or kept[name])
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(layers, name, value)
