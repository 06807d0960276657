"""The key/value cache: while a caption grows word by word, no position is projected twice.

What: `LayerCache` holds the inputs and projections of one decoder layer; `remembering` makes an attention layer use it.
Why: word t needs the keys and values of words 1..t-1, which have not changed. With all of them computed again for every
word, a caption of S words costs S(S+1)/2 positions; with the cache it costs S.
How: the student may have written the attention's class, so the cache is placed in its linear layers `key` and `value`.
Called with the same tensor object that the decoder passed to the attention, they project its new rows only. Called with
any other tensor, they compute as usual, so that results never change.
Source: Shazeer 2019, "Fast Transformer Decoding" (https://arxiv.org/abs/1911.02150), section 2.3.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class LayerCache:
    """One layer's past inputs (N, t, E), their projections (`own`), and those of the memory with the result `seen`."""

    past: torch.Tensor | None = None
    own: dict[str, torch.Tensor] = field(default_factory=dict)
    memory: dict[str, torch.Tensor] = field(default_factory=dict)

    def extend(self, new: torch.Tensor) -> torch.Tensor:
        """Append a position: (N, 1, E) -> everything so far (N, t, E)."""
        self.past = new if self.past is None else torch.cat([self.past, new], dim=1)
        return self.past

    def look(self, attention: nn.Module, query: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        """Attention on the memory: query (N, 1, E), memory (N, T, E) -> (N, 1, E).

        A memory of one vector (T = 1) gets all the weight for every query, so the result of the first word is kept.
        """
        if "seen" in self.memory:
            return self.memory["seen"]
        with remembering(attention, memory, self.memory):
            seen: torch.Tensor = attention(query=query, key=memory, value=memory)
        if memory.shape[1] == 1:
            self.memory["seen"] = seen
        return seen

    def choose(self, rows: torch.Tensor) -> None:
        """Keep the captions `rows` (N',), for beam search: some captions occur twice in `rows`, others not at all."""
        self.past = None if self.past is None else self.past[rows]
        for store in (self.own, self.memory):
            for name, value in store.items():
                store[name] = value[rows]


@contextmanager
def remembering(attention: nn.Module, x: torch.Tensor, store: dict[str, torch.Tensor]) -> Iterator[None]:
    """Within this context, `attention.key(x)` and `attention.value(x)` project only the rows that `store` lacks."""
    layers = {
        name: layer for name in ("key", "value") if isinstance(layer := getattr(attention, name, None), nn.Linear)
    }
    for name, layer in layers.items():
        layer.__dict__["forward"] = _remembered(layer, name, x, store)
    try:
        yield
    finally:
        for layer in layers.values():
            layer.__dict__.pop("forward", None)


def _remembered(
    layer: nn.Linear, name: str, x: torch.Tensor, store: dict[str, torch.Tensor]
) -> Callable[[torch.Tensor], torch.Tensor]:
    compute: Callable[[nn.Linear, torch.Tensor], torch.Tensor] = type(layer).forward

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
