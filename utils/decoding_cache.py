"""The key/value cache: while a caption grows word by word, nothing is projected twice.

What: `LayerCache` holds what one decoder layer has seen; `remembering` lends it to an attention layer.
Why: word t needs the keys and values of words 1..t-1, which have not changed. Recomputing them makes a caption
of S words cost S(S+1)/2 positions; with the cache it costs S.
How: attention is whatever class the student wrote, so the cache sits in its linear layers `key` and `value`:
called with the very tensor that the decoder handed over, they project the new rows only. Called with anything
else (another tensor, a fused product of weights) they compute as usual, so that results never change.
Source: Shazeer 2019, "Fast Transformer Decoding" (https://arxiv.org/abs/1911.02150), section 2.3.
"""

from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class LayerCache:
    """One layer's past inputs (N, t, E), and the projections of them and of the memory, by layer name."""

    past: torch.Tensor | None = None
    own: dict[str, torch.Tensor] = field(default_factory=dict)
    memory: dict[str, torch.Tensor] = field(default_factory=dict)

    def extend(self, new: torch.Tensor) -> torch.Tensor:
        """Append a position: (N, 1, E) -> everything so far (N, t, E)."""
        self.past = new if self.past is None else torch.cat([self.past, new], dim=1)
        return self.past

    def choose(self, rows: torch.Tensor) -> None:
        """Keep the captions `rows` (N',), for beam search: a caption may go on twice, another ends."""
        self.past = self.past[rows]
        for store in (self.own, self.memory):
            for name, value in store.items():
                store[name] = value[rows]


@contextmanager
def remembering(attention: nn.Module, x: torch.Tensor, store: dict[str, torch.Tensor]):
    """While open, `attention.key(x)` and `attention.value(x)` project only the rows of `x` that `store` lacks."""
    layers = {
        name: layer for name in ("key", "value") if isinstance(layer := getattr(attention, name, None), nn.Linear)
    }
    for name, layer in layers.items():
        layer.forward = _remembered(layer, name, x, store)
    try:
        yield
    finally:
        for layer in layers.values():
            layer.__dict__.pop("forward", None)


def _remembered(layer: nn.Linear, name: str, x: torch.Tensor, store: dict[str, torch.Tensor]):
    compute = type(layer).forward

    def forward(given: torch.Tensor) -> torch.Tensor:
        if given is not x:
            return compute(layer, given)
        known = store.get(name)
        if known is None:
            store[name] = compute(layer, x)
        elif known.shape[1] < x.shape[1]:
            store[name] = torch.cat([known, compute(layer, x[:, known.shape[1] :])], dim=1)
        return store[name]

    return forward
