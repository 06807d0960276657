"""Letting a model write: what the grammar says about its tales, and how long one more letter takes.

N texts, S letters of each, V letters of the alphabet.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import nn

from utils.common.devices import one_thread
from utils.common.messages import N_
from utils.common.progress import progress, rehearsed
from utils.gpt.tales.judge import judge
from utils.gpt.tales.letters import END, LETTERS, decode, encode

TALES = 10  # written at each temperature
LONGEST = 190  # letters, nearly a whole tale
# The first text of the explorer's page, with its last letter selected. From that letter the head with the highest
# induction score looks at the "p" after the earlier "Do", for every seed that was measured (`benchmarks/gpt.md`).
BEGINNING = "Dopima met Sirute. Nelako saw Do"
CONTINUED = 60  # letters
REPEATED = 5  # measurements, of which the shortest counts: other programs can only make them longer

Step = Callable[..., tuple[torch.Tensor, Any]]


class WritingTimes(NamedTuple):
    """The milliseconds of one more letter after `length` letters, without a cache and with one."""

    length: int
    without: float
    cached: float


def continued(models: Mapping[str, Any], generate: Callable[..., torch.Tensor]) -> list[tuple[str, str]]:
    """Return the rows of a table, one for each model by name: how it goes on, always with the likeliest letter."""
    beginning = encode(END + BEGINNING).unsqueeze(0)
    texts = {
        name: decode(generate(model, beginning, rehearsed(CONTINUED), lambda scores: scores.argmax(-1))[0])
        for name, model in models.items()
    }
    return [(name, " ".join(text.split())) for name, text in texts.items()]


def judged(
    model: Any,
    generate: Callable[..., torch.Tensor],
    nucleus: Callable[..., torch.Tensor],
    known: frozenset[str],
    temperatures: Sequence[float],
    tales: int = TALES,
    seed: int = 0,
) -> list[tuple[str, ...]]:
    """Return a row for each temperature.

    Its numbers: the share of well-formed sentences; the share of these in which somebody meets himself; the share of
    names that no training tale has; the number of names in a tale.
    """
    rows: list[tuple[str, ...]] = []
    for temperature in progress(temperatures, N_("writing"), needed=True):
        verdicts = [judge(tale) for tale in written(model, generate, nucleus, temperature, tales, seed)]
        sentences = max(1, sum(verdict.sentences for verdict in verdicts))
        well_formed = sum(verdict.well_formed for verdict in verdicts)
        names = {name for verdict in verdicts for name in verdict.names}
        rows.append(
            (
                f"{temperature:g}",
                f"{well_formed / sentences:.0%}",
                f"{sum(verdict.oneself for verdict in verdicts) / max(1, well_formed):.0%}",
                f"{len(names - known) / max(1, len(names)):.0%}",
                f"{sum(len(verdict.names) for verdict in verdicts) / len(verdicts):.1f}",
            )
        )
    return rows


def written(
    model: Any,
    generate: Callable[..., torch.Tensor],
    nucleus: Callable[..., torch.Tensor],
    temperature: float,
    tales: int = TALES,
    seed: int = 0,
) -> list[str]:
    """Return `tales` texts that the model writes after a line end, each cut off at the line end that it writes."""
    generator = torch.Generator().manual_seed(seed)

    def choose(logits: torch.Tensor) -> torch.Tensor:
        return torch.multinomial(nucleus(logits, temperature, 1.0), 1, generator=generator).squeeze(1)

    texts = generate(model, encode(END).expand(tales, 1), rehearsed(LONGEST), choose)
    return [decode(text).strip(END).split(END)[0] for text in texts]


@contextmanager
def caching(model: Any, step: Step) -> Iterator[None]:
    """Within this context, each attention layer keeps a cache, by `step`; the model gets the new letters only."""
    # In the instance's dictionary, because a student's class must stay as it is and `nn.Module` calls `self.forward`.
    layers = [block.attention for block in model.blocks]
    for layer in layers:
        layer.__dict__["forward"] = _cached(layer, step)
    try:
        yield
    finally:
        for layer in layers:
            layer.__dict__.pop("forward", None)


def _cached(layer: nn.Module, step: Step) -> Callable[[torch.Tensor], torch.Tensor]:
    cache: Any = None

    def forward(x: torch.Tensor) -> torch.Tensor:
        nonlocal cache
        result, cache = step(layer, x, cache)
        return result

    return forward


@one_thread()
@torch.no_grad()
def times(model: Any, step: Step, lengths: Sequence[int]) -> list[WritingTimes]:
    """Return how long one more letter takes after each number of letters: all computed again, or with a cache."""
    rows = []
    for length in progress(lengths, N_("measuring"), needed=True):
        letters = torch.randint(len(LETTERS), (1, length), generator=torch.Generator().manual_seed(0))
        without = min(_milliseconds(lambda: model(letters)) for _ in range(REPEATED))  # noqa: B023 - called at once
        with caching(model, step):
            model(letters)
            cached = min(_milliseconds(lambda: model(letters[:, :1])) for _ in range(REPEATED))  # noqa: B023
        rows.append(WritingTimes(length, without, cached))
    return rows


def _milliseconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def cache_bytes(layers: int, key_heads: int, head_dim: int, positions: int, bytes_each: int) -> int:
    """Return the bytes of a cache: a key and a value for each position, in each layer and each head that has keys."""
    return 2 * layers * key_heads * head_dim * positions * bytes_each
