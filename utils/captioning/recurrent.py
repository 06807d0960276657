"""A recurrent network that describes pictures, to compare the Transformer with.

What: `RecurrentCaptioner` reads a caption word by word; its first state is the picture's features.
Source: Vinyals et al. 2015, "Show and Tell" (https://arxiv.org/abs/1411.4555); the cell is a GRU (Cho et al. 2014,
https://arxiv.org/abs/1406.1078) in place of their LSTM.

N batch, S caption length, D feature width, E width, V vocabulary.
"""

from collections.abc import Mapping
from typing import cast

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import nn

from utils.captioning.interface import Captioner
from utils.captioning.search import search


class RecurrentCaptioner(nn.Module):
    """Scores of each next word: features (N, D), captions (N, S) -> (N, S, V).

    Args: word_to_idx: the vocabulary. input_dim: D. wordvec_dim: E, the width of the words and of the state.
    """

    def __init__(self, word_to_idx: Mapping[str, int], input_dim: int, wordvec_dim: int):
        super().__init__()
        self._null, self._start, self._end = (word_to_idx[word] for word in ("<NULL>", "<START>", "<END>"))
        self.visual_projection = nn.Linear(input_dim, wordvec_dim)
        self.embedding = nn.Embedding(len(word_to_idx), wordvec_dim, padding_idx=self._null)
        self.recurrent = nn.GRU(wordvec_dim, wordvec_dim, batch_first=True)
        self.output = nn.Linear(wordvec_dim, len(word_to_idx))

    def forward(self, features: torch.Tensor, captions: torch.Tensor) -> torch.Tensor:
        """Features (N, D), captions (N, S) -> scores of each next word (N, S, V)."""
        first = self.visual_projection(features).tanh().unsqueeze(0)  # (1, N, E)
        states, _ = self.recurrent(self.embedding(captions), first)  # (N, S, E)
        scores: torch.Tensor = self.output(states)
        return scores

    @torch.no_grad()
    def sample(self, features: ArrayLike | torch.Tensor, max_length: int = 30) -> np.ndarray:
        """Features (N, D) -> words (N, max_length) int32, the most probable word at each step."""
        like = self.output.weight
        pictures = torch.as_tensor(features).to(device=like.device, dtype=like.dtype)
        # Without a cache, the search only calls `forward`.
        return search(cast(Captioner, self), pictures, max_length, cached=False).cpu().numpy().astype(np.int32)
