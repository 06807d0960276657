"""The language model's parts. The constructors are complete; the methods are written in the lesson `gpt`.

What: `RMSNorm`, `SelfAttention` and `Block`, each a scaffold whose `forward` raises, and `GPT`, whose `forward` the
lesson gives. A notebook's class inherits from the scaffold of its name: `class Block(scaffold.Block)`.
Source: the block is that of GPT-2 (Radford et al. 2019), with the norm before each part; RMSNorm is Zhang and Sennrich
2019 (https://arxiv.org/abs/1910.07467); positions are rotations, Su et al. 2021 (https://arxiv.org/abs/2104.09864).

N batch, S target length, T source length, E width, H heads, d = E/H width of a head, V letters.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from utils.common.errors import NotWritten, ShapeError
from utils.common.messages import N_
from utils.gpt import stand_ins

NOT_WRITTEN = N_("{name} is still to be written: the lesson `gpt` asks for it.")
FEED_FORWARD = 2  # hidden width of the feed-forward part, in widths E; GPT-2 has 4
EPSILON = 1e-5  # added to a mean square, so that a vector of zeros can be divided by its root
EMBEDDING_STD = 0.5  # of the first vectors: large enough to be told apart, as the norm comes before each part


class RMSNorm(nn.Module):
    r"""Divides each vector by the root of its mean square, and multiplies each component by a learned gain.

    .. math:: y_j = g_j\, x_j / \sqrt{\tfrac1E \sum_k x_k^2 + \varepsilon}
    """

    def __init__(self, width: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.epsilon = EPSILON

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(..., E) -> (..., E)."""
        raise NotWritten(NOT_WRITTEN, name="RMSNorm.forward")


class SelfAttention(nn.Module):
    """Causal self-attention in H heads; `rotate` gives queries and keys their positions.

    Args: width: E. num_heads: H, with E/H even. rotate: a function (x, start) -> x, for x (N, H, S, d).
    Raises: ShapeError when E/H is not an even whole number.
    """

    def __init__(self, width: int, num_heads: int, rotate: Callable[..., torch.Tensor]):
        super().__init__()
        if width % (2 * num_heads):
            raise ShapeError(
                N_(
                    "width={width} cannot be shared by num_heads={num_heads}: each head needs the same even number of "
                    "components, because rotations turn pairs."
                ),
                width=width,
                num_heads=num_heads,
            )
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.proj = nn.Linear(width, width, bias=False)
        self.num_heads, self.head_dim, self.rotate = num_heads, width // num_heads, rotate

    @classmethod
    def with_stand_ins(cls, width: int, num_heads: int) -> "SelfAttention":
        """Build a layer with another function in place of the rotation, so that this class alone is judged."""
        return cls(width, num_heads, stand_ins.shifted)

    def split(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> (N, H, S, d): each head gets its own part of every position's vector."""
        N, S, _ = x.shape
        return x.view(N, S, self.num_heads, self.head_dim).transpose(1, 2)

    def join(self, x: torch.Tensor) -> torch.Tensor:
        """(N, H, S, d) -> (N, S, E): the heads' parts side by side again."""
        return x.transpose(1, 2).flatten(-2)

    def look(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> where each position looks: weights (N, H, S, S)."""
        raise NotWritten(NOT_WRITTEN, name="SelfAttention.look")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> (N, S, E)."""
        raise NotWritten(NOT_WRITTEN, name="SelfAttention.forward")


class FeedForward(nn.Module):
    """Works on each position alone: Linear, GELU, Linear, (N, S, E) -> (N, S, E)."""

    def __init__(self, width: int):
        super().__init__()
        self.inner = nn.Linear(width, FEED_FORWARD * width)
        self.outer = nn.Linear(FEED_FORWARD * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.outer(nn.functional.gelu(self.inner(x)))
        return result


class Block(nn.Module):
    """Attention, then feed-forward; each reads a normalised copy of the stream and adds its result to the stream.

    Args: attention, feed_forward: modules (N, S, E) -> (N, S, E). norm1, norm2: the norms before them.
    """

    def __init__(self, attention: nn.Module, feed_forward: nn.Module, norm1: nn.Module, norm2: nn.Module):
        super().__init__()
        self.norm1, self.attention = norm1, attention
        self.norm2, self.feed_forward = norm2, feed_forward

    @classmethod
    def with_stand_ins(cls, width: int) -> "Block":
        """Build a block of other modules, so that `forward` alone is judged."""
        norms = stand_ins.StandInNorm(width), stand_ins.StandInNorm(width)
        return cls(stand_ins.StandInMixer(width), stand_ins.StandInThinker(width), *norms)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, S, E) -> (N, S, E)."""
        raise NotWritten(NOT_WRITTEN, name="Block.forward")


class GPT(nn.Module):
    """A language model without its `forward`: letters (N, S) -> scores of each next letter (N, S, V).

    Its parts, which the lesson's `forward` connects: `embedding` (letters -> E), `blocks`, `norm`, `output` (E -> V
    scores).
    """

    def __init__(self, num_letters: int, width: int, blocks: list[nn.Module], norm: nn.Module):
        super().__init__()
        self.embedding = nn.Embedding(num_letters, width)
        self.blocks = nn.ModuleList(blocks)
        self.norm = norm
        self.output = nn.Linear(width, num_letters, bias=False)
        self.apply(_first_weights)
        nn.init.zeros_(self.output.weight)  # at first each letter is as likely as any other


def _first_weights(module: nn.Module) -> None:
    if isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=EMBEDDING_STD)
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=1 / math.sqrt(module.in_features))
        if module.bias is not None:
            nn.init.zeros_(module.bias)


def build(
    GPT: Any,
    Block: Any,
    SelfAttention: Any,
    RMSNorm: Any,
    rotate: Callable[..., torch.Tensor],
    *,
    num_letters: int,
    layers: int,
    width: int = 96,
    num_heads: int = 4,
    seed: int = 0,
) -> Any:
    """Return a model made of the notebook's classes and of its function `rotate`."""
    torch.manual_seed(seed)
    blocks = [
        Block(SelfAttention(width, num_heads, rotate), FeedForward(width), RMSNorm(width), RMSNorm(width))
        for _ in range(layers)
    ]
    return GPT(num_letters, width, blocks, RMSNorm(width))


def weights_by_part(gpt: nn.Module) -> list[tuple[str, str]]:
    """Return the rows of a table: the parts of a model, and how many weights each has."""
    parts = {
        N_("embedding and output"): ("embedding.", "output."),
        N_("attention"): (".attention.",),
        N_("feed-forward"): (".feed_forward.",),
        N_("norms"): ("norm",),
    }
    sizes = {name: parameter.numel() for name, parameter in gpt.named_parameters()}
    return [
        (part, f"{sum(size for name, size in sizes.items() if any(sign in name for sign in signs)):,}")
        for part, signs in parts.items()
    ]
