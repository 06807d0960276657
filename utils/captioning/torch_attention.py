"""torch's multi-head attention with the workbook's arguments, in place of the student's.

Why: a mistake in the attention must not cost the marks of the layer or the model that uses it.
Source: torch.nn.MultiheadAttention.
"""

import torch
from torch import nn


class TorchAttention(nn.Module):
    """torch's multi-head attention with the workbook's mask (S, T): true or non-zero where looking is allowed."""

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        self.attention = nn.MultiheadAttention(embed_dim, num_heads, dropout=dropout, batch_first=True)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """query (N, S, E), key and value (N, T, E), mask (S, T), perhaps below more axes of length 1 -> (N, S, E).

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
