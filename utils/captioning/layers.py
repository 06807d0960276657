"""The Transformer's layers: those that students write, and the decoder that consists of them.

What: `MultiHeadAttention`, `PositionalEncoding` and `DecoderLayer` are scaffolds: they lack the part that the lesson
`captioning` asks for. `TransformerDecoderLayer` and `TransformerDecoder` are complete and use them.
Why: after `install` (`captioning/scaffolds.py`) with a class of the same name, this module and `captioning/model.py`
build with that class, and `from utils.transformer_layers import *` imports it.
Source: Vaswani et al. 2017, "Attention Is All You Need" (https://arxiv.org/abs/1706.03762): sections 3.2
(attention), 3.5 (encoding), figure 1 (right: decoder, here without the encoder).

N batch, S target length, T source length, E width, H heads.
"""

import copy
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from utils.captioning.cache import LayerCache, remembering
from utils.captioning.interface import places_of
from utils.captioning.scaffolds import NOT_WRITTEN, looked_up_in
from utils.captioning.torch_attention import TorchAttention
from utils.common.errors import NotWritten, ShapeError
from utils.common.messages import N_

FEED_FORWARD = 2048  # hidden width of the feed-forward part, as in the paper
ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU}
# Of the feed-forward part: "relu" as in the paper, "gelu" as in CS231n since 2025; see `use_activation`.
ACTIVATION = "relu"
# The names of a decoder layer's parts in CS231n since 2025, and ours, which are those of torch and of CS231n before.
SINCE_2025 = {"cross_attn": "multihead_attn", "norm_self": "norm1", "norm_cross": "norm2", "norm_ffn": "norm3"} | {
    "dropout_self": "dropout1", "dropout_cross": "dropout2", "dropout_ffn": "dropout3",
}  # fmt: skip
SCAFFOLDS = looked_up_in(__name__, "MultiHeadAttention", "PositionalEncoding", "TransformerDecoderLayer")


class MultiHeadAttention(nn.Module):
    r"""Scaled dot-product attention in H heads.

    .. math:: Y_i = \mathrm{dropout}(\mathrm{softmax}(Q_i K_i^\top / \sqrt{E/H}))\, V_i, \qquad Y = [Y_1 .. Y_H] W + b

    The constructor is complete: `key`, `query`, `value`, `proj` are linear layers (E -> E), made in the order of
    published code, so that a seed gives the same weights; `attn_drop` is the dropout on the attention weights.

    Args: embed_dim: the width E. num_heads: H, a divisor of E. dropout: share of attention weights set to zero.
    Raises: ShapeError when H does not divide E.
    """

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        check_heads(embed_dim, num_heads)
        self.key = nn.Linear(embed_dim, embed_dim)
        self.query = nn.Linear(embed_dim, embed_dim)
        self.value = nn.Linear(embed_dim, embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.attn_drop = nn.Dropout(dropout)
        self.num_heads = self.n_head = num_heads  # each by two names: published code uses the second
        self.embed_dim = self.emd_dim = embed_dim
        self.head_dim = embed_dim // num_heads

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """(N, S, E), (N, T, E), (N, T, E), mask (S, T): true or non-zero where looking is allowed -> (N, S, E)."""
        raise NotWritten(NOT_WRITTEN, name="MultiHeadAttention.forward")


class PositionalEncoding(nn.Module):
    r"""Adds a pattern of sines and cosines to every position of a sequence, each its own, then applies dropout.

    .. math::
        P_{i,j} = \sin(i \cdot 10000^{-j/E}) \text{ for even } j, \quad
        \cos(i \cdot 10000^{-(j-1)/E}) \text{ for odd } j

    The table `pe` (1, max_len, E) is a buffer: it moves with the module and is stored with it, but is not learned.

    Args: embed_dim: E, even. dropout: share of the sum set to zero. max_len: longest sequence.
    Raises: ShapeError when E is odd.
    """

    def __init__(self, embed_dim: int, dropout: float = 0.1, max_len: int = 5000):
        super().__init__()
        check_even(embed_dim)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", torch.zeros(1, max_len, embed_dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> (N, S, E)."""
        raise NotWritten(NOT_WRITTEN, name="PositionalEncoding")


def check_heads(embed_dim: int, num_heads: int) -> None:
    """Raise ShapeError unless the number of heads divides the width."""
    if num_heads < 1 or embed_dim % num_heads:
        raise ShapeError(
            N_(
                "embed_dim={embed_dim} cannot be shared evenly by num_heads={num_heads}; choose a number of heads that "
                "divides the width."
            ),
            embed_dim=embed_dim,
            num_heads=num_heads,
        )


def check_even(embed_dim: int) -> None:
    """Raise ShapeError unless the width is even, because every sine has a cosine."""
    if embed_dim < 2 or embed_dim % 2:
        raise ShapeError(
            N_("embed_dim={embed_dim} must be even: sines and cosines come in pairs."), embed_dim=embed_dim
        )


def clones(module: nn.Module, count: int) -> nn.ModuleList:
    """Return `count` modules: the module itself and deep copies of it, which share no parameters."""
    return nn.ModuleList([module, *(copy.deepcopy(module) for _ in range(count - 1))][:count])


class DecoderLayer(nn.Module):
    """A decoder layer without `forward`: the scaffold of `TransformerDecoderLayer`.

    The parts that `forward` connects: `self_attn`, `multihead_attn` (the cross-attention), the feed-forward part `ffn`,
    and for each of the three a dropout (`dropout1`, `dropout2`, `dropout3`) and a norm (`norm1`, `norm2`, `norm3`).
    A memory with further axes, (N, 1, T, E), reaches `forward` as (N, T, E).

    Args: input_dim: E. num_heads: H. dim_feedforward: hidden width, FEED_FORWARD if None. dropout: of all parts.
        activation: "relu" or "gelu", ACTIVATION if None. attention: its class, the installed one if None.
    """

    def __init__(
        self,
        input_dim: int,
        num_heads: int,
        dim_feedforward: int | None = None,
        dropout: float = 0.1,
        activation: str | None = None,
        *,
        attention: type[nn.Module] | None = None,
    ):
        super().__init__()
        dim_feedforward = dim_feedforward or FEED_FORWARD
        attention = attention or MultiHeadAttention
        self.self_attn = attention(input_dim, num_heads, dropout)
        self.multihead_attn = attention(input_dim, num_heads, dropout)
        self.linear1 = nn.Linear(input_dim, dim_feedforward)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, input_dim)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(input_dim) for _ in range(3))
        self.dropout1, self.dropout2, self.dropout3 = (nn.Dropout(dropout) for _ in range(3))
        self.activation = ACTIVATIONS[activation or ACTIVATION]()
        self.register_forward_pre_hook(_flat_memory, with_kwargs=True)

    @classmethod
    def with_stand_ins(cls, *args: Any, **kwargs: Any) -> "DecoderLayer":
        """Build a layer on torch's attention, so that only `forward` is judged. Raises: NotWritten for ours."""
        if cls.forward.__module__ == __name__:
            raise NotWritten(NOT_WRITTEN, name="TransformerDecoderLayer.forward")
        return cls(*args, **kwargs, attention=TorchAttention)

    def __getattr__(self, name: str) -> Any:
        return super().__getattr__(SINCE_2025.get(name, name))

    def ffn(self, x: torch.Tensor) -> torch.Tensor:
        """The feed-forward part: (N, S, E) -> (N, S, E)."""
        result: torch.Tensor = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return result

    def forward(self, x: torch.Tensor, memory: torch.Tensor, tgt_mask: torch.Tensor | None = None) -> torch.Tensor:
        """x (N, S, E), memory (N, T, E), mask (S, S) true where a position may look -> (N, S, E)."""
        raise NotWritten(NOT_WRITTEN, name="TransformerDecoderLayer.forward")

    def step(self, new: torch.Tensor, memory: torch.Tensor, cache: LayerCache) -> torch.Tensor:
        """Compute the next position only: (N, 1, E), memory (N, T, E) -> (N, 1, E); earlier ones are in the cache.

        Only for `eval()` mode, because dropout is left out.
        """
        past = cache.extend(new)  # (N, t, E)
        with remembering(self.self_attn, past, cache.own):
            seen = self.self_attn(query=new, key=past, value=past)
        new = self.norm1(new + seen)
        new = self.norm2(new + cache.look(self.multihead_attn, new, memory))
        result: torch.Tensor = self.norm3(new + self.linear2(self.activation(self.linear1(new))))
        return result


def _flat_memory(layer: DecoderLayer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Give a decoder layer's `forward` its memory as (N, T, E). Raises: ShapeError for a width that is not E."""
    if "memory" in kwargs:
        return args, kwargs | {"memory": _checked(layer, kwargs["memory"])}
    return (*args[:1], *(_checked(layer, memory) for memory in args[1:2]), *args[2:]), kwargs


def _checked(layer: DecoderLayer, memory: torch.Tensor) -> torch.Tensor:
    """Return a memory as (N, T, E)."""
    memory, width = places_of(memory), layer.linear1.in_features
    if memory.shape[-1] != width:
        raise ShapeError(
            N_(
                "The memory must be E = {width} wide, (N, T, E), as the words are, but its shape is {shape}: give "
                "the projected features, with every axis as it was."
            ),
            width=width,
            shape=str(tuple(memory.shape)),
        )
    return memory


class TransformerDecoderLayer(DecoderLayer):
    """A decoder layer as in figure 1 (right) of the paper, until the student's is installed in its place.

    x = norm(x + dropout(f(x))) for f = self-attention, cross-attention, feed-forward (post-norm, as published).
    """

    def forward(self, tgt: torch.Tensor, memory: torch.Tensor, tgt_mask: torch.Tensor | None = None) -> torch.Tensor:
        """tgt (N, S, E), memory (N, T, E), mask (S, S) true where a position may look -> (N, S, E)."""
        tgt = self.norm1(tgt + self.dropout1(self.self_attn(query=tgt, key=tgt, value=tgt, attn_mask=tgt_mask)))
        tgt = self.norm2(tgt + self.dropout2(self.multihead_attn(query=tgt, key=memory, value=memory)))
        result: torch.Tensor = self.norm3(tgt + self.dropout3(self.ffn(tgt)))
        return result


def use_activation(name: str) -> None:
    """Give decoder layers that are built from now on the activation "relu" (the paper) or "gelu" (CS231n since 2025).

    Raises: KeyError for any other name.
    """
    global ACTIVATION
    ACTIVATIONS[name]
    ACTIVATION = name


class TransformerDecoder(nn.Module):
    """A stack of equal layers: (N, S, E), memory (N, T, E) -> (N, S, E)."""

    def __init__(self, decoder_layer: nn.Module, num_layers: int):
        super().__init__()
        self.layers = clones(decoder_layer, num_layers)
        self.num_layers = num_layers

    def forward(self, tgt: torch.Tensor, memory: torch.Tensor, tgt_mask: torch.Tensor | None = None) -> torch.Tensor:
        """tgt (N, S, E), memory (N, T, E), mask (S, S) true where a position may look -> (N, S, E)."""
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask=tgt_mask)
        return tgt

    def step(self, new: torch.Tensor, memory: torch.Tensor, caches: list[LayerCache]) -> torch.Tensor:
        """Compute the next position in all layers: (N, 1, E), memory (N, T, E) -> (N, 1, E)."""
        layers: Iterable[Any] = self.layers
        for layer, cache in zip(layers, caches, strict=True):
            new = layer.step(new, memory, cache)
        return new
