"""A Transformer that describes a picture: its features are the memory, its caption is written word by word.

What: `CaptioningModel` lacks only `forward`, which the lesson `captioning` asks for in a class `CaptioningTransformer`;
its method `sample` writes captions with any such class.
Source: Vaswani et al. 2017 (https://arxiv.org/abs/1706.03762), figure 1 (right), with the picture in place of the
encoder's output; the picture as the only memory follows Show and Tell (https://arxiv.org/abs/1411.4555).

N batch, S caption length, T places of a picture, D feature width, E width, V vocabulary.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import nn

from utils.captioning import layers
from utils.captioning.scaffolds import NOT_WRITTEN, looked_up_in
from utils.captioning.search import search
from utils.captioning.stand_ins import SMALL_FEED_FORWARD, CompleteLayer, LearnedEncoding, TorchAttention, stand_ins
from utils.common.errors import DataError, NotWritten, ShapeError
from utils.common.messages import N_

SCAFFOLDS = looked_up_in(__name__, "CaptioningTransformer")
INIT_STD = 0.02  # of the first weights, as in GPT and BERT


class CaptioningModel(nn.Module):
    """The captioning Transformer without `forward`.

    The parts that `forward` connects: `embedding` (words -> E), `positional_encoding`, `visual_projection`
    (D -> E), `transformer` (a decoder: target, memory, `tgt_mask` -> target), `output` (E -> V scores).

    Args: word_to_idx: the vocabulary, with `<NULL>` at least. input_dim: D. wordvec_dim: E. num_heads: H.
        num_layers: decoder layers. max_length: words of the longest caption for which there are positions.
    """

    def __init__(
        self,
        word_to_idx: Mapping[str, int],
        input_dim: int,
        wordvec_dim: int,
        num_heads: int = 4,
        num_layers: int = 2,
        max_length: int = 50,
    ):
        super().__init__()
        self.vocab_size = len(word_to_idx)
        self._null = word_to_idx["<NULL>"]
        self._start = word_to_idx.get("<START>")
        self._end = word_to_idx.get("<END>")
        self.max_length = max_length

        self.visual_projection = nn.Linear(input_dim, wordvec_dim)
        self.embedding = nn.Embedding(self.vocab_size, wordvec_dim, padding_idx=self._null)
        self.positional_encoding = layers.PositionalEncoding(wordvec_dim, max_len=max_length)
        decoder_layer = layers.TransformerDecoderLayer(input_dim=wordvec_dim, num_heads=num_heads)
        self.transformer = layers.TransformerDecoder(decoder_layer, num_layers=num_layers)
        self.apply(_first_weights)
        self.output = nn.Linear(wordvec_dim, self.vocab_size)

    @classmethod
    def with_stand_ins(cls, *args: Any, **kwargs: Any) -> "CaptioningModel":
        """Build a small model on torch's attention, learned positions and our layer: only `forward` is judged."""
        with stand_ins(TorchAttention, LearnedEncoding, SMALL_FEED_FORWARD, CompleteLayer):
            return cls(*args, **kwargs)

    def forward(self, features: torch.Tensor, captions: torch.Tensor) -> torch.Tensor:
        """Features (N, D), or (N, T, D) of T places, and words (N, S) -> scores of each next word (N, S, V)."""
        raise NotWritten(NOT_WRITTEN, name="CaptioningTransformer.forward")

    @torch.no_grad()
    def sample(
        self, features: ArrayLike | torch.Tensor, max_length: int = 30, beam_width: int = 1, *, cached: bool = True
    ) -> np.ndarray:
        """Describe pictures: features (N, D) or (N, T, D) -> words (N, max_length) int32, `<NULL>` after `<END>`.

        The model is in `eval()` mode meanwhile; then the earlier mode is restored. `beam_width` 1 is greedy search.
        `cached=False` computes all positions again for every word: the same captions, slower.

        Raises: DataError when the vocabulary has no `<START>`; ShapeError for wrong widths or lengths.
        """
        features = self._check_sampling(features, max_length, beam_width)
        modes = {module: module.training for module in self.modules()}
        self.eval()
        try:
            return search(self, features, max_length, beam_width, cached=cached).cpu().numpy().astype(np.int32)
        finally:
            for module, mode in modes.items():
                module.training = mode

    def _check_sampling(self, features: ArrayLike | torch.Tensor, max_length: int, beam_width: int) -> torch.Tensor:
        if self._start is None:
            raise DataError(
                N_("The vocabulary has no <START>, with which every caption begins: add it to word_to_idx.")
            )
        if not 1 <= max_length <= self.max_length:
            raise ShapeError(
                N_(
                    "max_length={max_length} cannot be placed: the model has places 1 to {most}; build it with a "
                    "larger max_length."
                ),
                max_length=max_length,
                most=self.max_length,
            )
        if not 1 <= beam_width <= self.vocab_size:
            raise ShapeError(
                N_("beam_width={beam_width} must be between 1 and the {most} words known."),
                beam_width=beam_width,
                most=self.vocab_size,
            )
        like = self.visual_projection.weight
        features = torch.as_tensor(features).to(device=like.device, dtype=like.dtype)
        if features.ndim not in (2, 3) or features.shape[-1] != like.shape[1]:
            raise ShapeError(
                N_(
                    "The features must have the shape (N, D) = (N, {width}), or (N, T, D) for T places of each "
                    "picture, but have {shape}."
                ),
                width=like.shape[1],
                shape=str(tuple(features.shape)),
            )
        return features


class CaptioningTransformer(CaptioningModel):
    """The scaffold: its `forward` is what the lesson `captioning` asks for."""


def _first_weights(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=INIT_STD)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
