"""An attention layer in place of the student's, while what is done *with* a layer is checked."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from utils.gpt.model import SelfAttention
from utils.gpt.stand_ins import shifted


class StandInAttention(SelfAttention):
    """Causal self-attention as the lesson asks for it, made of torch's own, with another function than the rotation."""

    def __init__(self, width: int, num_heads: int):
        super().__init__(width, num_heads, shifted)

    def look(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> weights (N, H, S, S)."""
        N, S, _ = x.shape
        return self._attend(x, torch.eye(S, device=x.device, dtype=x.dtype).expand(N, self.num_heads, S, S))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> (N, S, E)."""
        result: torch.Tensor = self.proj(self.join(self._attend(x, self.split(self.value(x)))))
        return result

    def _attend(self, x: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        query, key = (self.rotate(self.split(layer(x))) for layer in (self.query, self.key))
        return scaled_dot_product_attention(query, key, value, is_causal=True)
