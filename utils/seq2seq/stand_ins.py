"""Modules in place of the lesson's other parts while one part is checked.

Why: a mistake in the attention must not cost the marks of the decoder. These modules have the methods of the real ones,
and results that depend on all arguments, but neither attend nor translate.
"""

import torch
from torch import nn

from utils.seq2seq.vocabulary import EOS_token


def shared_points(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """A similarity of rows that is neither the dot product nor the cosine: a (N, D), b (M, D) -> (N, M)."""
    return torch.minimum(a.unsqueeze(1), b.unsqueeze(0)).sum(dim=2)


class StandInAttention(nn.Module):
    """Called like an attention: weights that sum to 1, and their mean of the states; the scores are arbitrary."""

    def keys(self, states: torch.Tensor) -> torch.Tensor:
        """(N, T, D) -> (N, T, D)."""
        return torch.sin(3 * states)

    def forward(
        self, query: torch.Tensor, states: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """(N, G), (N, T, D), (N, T, D), (N, T) -> context (N, D), weights (N, T)."""
        shares = (1.5 + torch.sin(2 * keys.sum(dim=2) + query.sum(dim=1, keepdim=True))) * mask
        weights = shares / shares.sum(dim=1, keepdim=True)
        return torch.einsum("nt,ntd->nd", weights, states), weights


class StandInTranslator(nn.Module):
    """Has a translator's `start` and `step`; the logits depend on all words fed; sentence n ends after T_n + 1 words.

    In training mode the logits are in reverse order, so that a test notices the mode, as dropout would, but without
    randomness. Without `looks` it returns no weights, like a model without attention.
    """

    def __init__(self, n_words: int, looks: bool = True):
        super().__init__()
        self.looks = looks
        self.table = nn.Parameter(torch.zeros(n_words, n_words))
        self.turns: torch.Tensor
        self.ends: torch.Tensor
        self.register_buffer("turns", torch.arange(n_words, dtype=self.table.dtype), persistent=False)
        self.register_buffer("ends", self.turns == EOS_token, persistent=False)

    def start(self, source: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
        """source (N, T), mask (N, T) -> hidden (N, 2), memory.

        hidden: the number of words written, and a number that depends on all words read. memory: the mask (N, T), the
        number of words (N,) that each translation will have, the positions (N, T) from 1 on.
        """
        trace = torch.sin((source * mask).sum(dim=1).to(self.table.dtype))
        places = torch.arange(1, mask.shape[1] + 1, dtype=trace.dtype, device=trace.device).expand(mask.shape)
        return torch.stack([torch.zeros_like(trace), trace], dim=1), (mask, mask.sum(dim=1) + 1, places)

    def step(
        self, word: torch.Tensor, hidden: torch.Tensor, memory: tuple[torch.Tensor, ...]
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """word (N,), hidden (N, 2) -> logits (N, V), hidden (N, 2), weights (N, T) or None.

        Raises: ValueError for words of another shape, as the real cell does.
        """
        if word.dim() != 1:
            raise ValueError(f"expected the previous words of N sentences, (N,), got the shape {tuple(word.shape)}")
        mask, last, places = memory
        row = self.table[word.clamp(min=0)]
        count, trace = hidden[:, 0] + 1, hidden[:, 1]
        trace = torch.add(torch.sin(1.0 + word), trace, alpha=0.5) + row[:, 0] / 9
        end = torch.where(count == last, 9.0, -9.0).to(trace.dtype)
        logits = row + torch.cos(torch.add(self.turns, trace.unsqueeze(1), alpha=5))
        logits = torch.where(self.ends, end.unsqueeze(1), logits)
        weights = mask / (places + (count + word.clamp(min=0) / 9).unsqueeze(1)) if self.looks else None
        return (logits.flip(1) if self.training else logits), torch.stack([count, trace], dim=1), weights
