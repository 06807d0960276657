"""Layers in place of the student's, so that one part of a lesson can be judged without the others.

What: `TorchAttention` is torch's own attention (`torch_attention.py`); `LearnedEncoding` adds a learned vector to every
position; `CompleteLayer` is our own decoder layer. Models made in `with stand_ins(TorchAttention, LearnedEncoding):`
contain them. `StandInScore` scores a caption's words with a picture, as a model does.
Why: a mistake in the attention must not cost the marks of the model that uses it.
Source: learned positions as in GPT (Radford et al. 2018).
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from utils.captioning import layers
from utils.captioning.layers import TransformerDecoderLayer as CompleteLayer  # whatever is installed later
from utils.captioning.torch_attention import TorchAttention

__all__ = ["SMALL_FEED_FORWARD", "CompleteLayer", "LearnedEncoding", "StandInScore", "TorchAttention", "stand_ins"]


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


class StandInScore(nn.Module):
    """The log-probabilities of S words, given a picture: (height, width, 3) -> (S,)."""

    def __init__(self, height: int, width: int, words: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(words, height * width * 3))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        """(height, width, 3) -> (S,)."""
        return (self.weight @ picture.flatten()).log_softmax(dim=0)


SMALL_FEED_FORWARD = 23  # hidden units: enough for a test, at a hundredth of the cost


@contextmanager
def stand_ins(
    attention: type[nn.Module] | None = None,
    encoding: type[nn.Module] | None = None,
    feed_forward: int | None = None,
    layer: type[nn.Module] | None = None,
) -> Iterator[None]:
    """Within this context, models are built with these in place of the installed classes and of `FEED_FORWARD`."""
    wanted = {"MultiHeadAttention": attention, "PositionalEncoding": encoding, "FEED_FORWARD": feed_forward}
    wanted |= {"TransformerDecoderLayer": layer}
    kept = {name: getattr(layers, name) for name in wanted}
    for name, value in wanted.items():
        setattr(layers, name, value or kept[name])
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(layers, name, value)
