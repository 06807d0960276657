"""Writing captions with a trained model: greedily, or by beam search, with or without the key/value cache.

What: `greedy` and `beam` ask a scorer for the next word's scores. `CachedScorer` computes one position per step,
`RecomputingScorer` calls the model's own `forward` on all words so far.
Why two: the cache is fast, but puts together the model's parts as we would, and the student may have written `forward`
otherwise. `search` uses the cache and checks the captions with one call of `forward`. If the two disagree, the captions
are written again with `forward` alone. The beam search is in `utils/common/beam.py`.
"""

from typing import Protocol

import torch
from torch import nn

from utils.captioning.cache import LayerCache
from utils.captioning.interface import Captioner, places_of
from utils.common.beam import Beams
from utils.common.messages import N_
from utils.common.progress import progress

# A caption's log-probabilities of cache and `forward` may differ so much, because float32 sums depend on their order.
SAME_SCORE = 1e-2

WRITING = N_("writing captions")


class Scorer(Protocol):
    """The methods that a search calls while it writes N captions at once."""

    def step(self, words: torch.Tensor) -> torch.Tensor:
        """The words of this position (N,) -> scores of the next (N, V)."""

    def choose(self, rows: torch.Tensor) -> None:
        """Go on with the captions `rows` (N',)."""


class RecomputingScorer:
    """Scores of the next word from `model(features, words so far)`: step t computes t positions."""

    def __init__(self, model: Captioner, features: torch.Tensor):
        self.model, self.features = model, features
        self.words = torch.empty(len(features), 0, dtype=torch.long, device=features.device)  # (N, t)

    def step(self, words: torch.Tensor) -> torch.Tensor:
        """The words of this position (N,) -> scores of the next (N, V)."""
        self.words = torch.cat([self.words, words[:, None]], dim=1)
        return self.model(self.features, self.words)[:, -1]

    def choose(self, rows: torch.Tensor) -> None:
        """Go on with the captions `rows` (N',)."""
        self.features, self.words = self.features[rows], self.words[rows]


class CachedScorer:
    """Scores of the next word from the model's parts: each step computes one position."""

    def __init__(self, model: Captioner, features: torch.Tensor):
        self.model = model
        self.memory = places_of(model.visual_projection(features)[:, None])  # (N, D) -> (N, 1, E), or (N, T, E)
        self.embedded: torch.Tensor | None = None  # (N, t, E), before the positional encoding
        self.caches = [LayerCache() for _ in model.transformer.layers]

    def step(self, words: torch.Tensor) -> torch.Tensor:
        """The words of this position (N,) -> scores of the next (N, V)."""
        new = self.model.embedding(words)[:, None]  # (N, 1, E)
        self.embedded = new if self.embedded is None else torch.cat([self.embedded, new], dim=1)
        placed = self.model.positional_encoding(self.embedded)[:, -1:]
        scores: torch.Tensor = self.model.output(self.model.transformer.step(placed, self.memory, self.caches))
        return scores[:, 0]

    def choose(self, rows: torch.Tensor) -> None:
        """Go on with the captions `rows` (N',)."""
        self.memory = self.memory[rows]
        self.embedded = None if self.embedded is None else self.embedded[rows]
        for cache in self.caches:
            cache.choose(rows)


def greedy(scorer: Scorer, start: torch.Tensor, max_length: int, end: int | None, null: int) -> torch.Tensor:
    """Take the best word at every step: start words (N,) -> captions (N, max_length), `null` after `end`."""
    captions = start.new_full((len(start), max_length), null)
    words, open_ = start, torch.ones_like(start, dtype=torch.bool)
    for t in progress(range(max_length), WRITING, needed=True):
        if not open_.any():
            continue  # nothing is left to write, but the bar runs to its end
        words = scorer.step(words).argmax(dim=-1)
        captions[open_, t] = words[open_]
        if end is not None:
            open_ = open_ & (words != end)
    return captions


def beam(
    scorer: Scorer, start: torch.Tensor, max_length: int, end: int | None, null: int, width: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Keep the `width` best beginnings: start words (N,) -> captions (N, max_length), mean log-probabilities (N,)."""
    beams = Beams(start, width, end, null)
    for _ in progress(range(max_length), WRITING, needed=True):
        rows = beams.grow(scorer.step(beams.words).float())
        if beams.all_ended:
            break
        scorer.choose(rows)
    written, mean = beams.best()
    return nn.functional.pad(written, (0, max_length - written.shape[1]), value=null), mean


def search(
    model: Captioner, features: torch.Tensor, max_length: int, width: int = 1, *, cached: bool = True
) -> torch.Tensor:
    """Return captions (N, max_length) for features (N, D) or (N, T, D), by beam search; `width` 1 is greedy search."""
    null, end = model._null, model._end
    assert model._start is not None  # `sample` has checked
    start = torch.full((len(features),), model._start, dtype=torch.long, device=features.device)

    def run(scorer_class: type[CachedScorer | RecomputingScorer]) -> tuple[torch.Tensor, torch.Tensor | None]:
        if width == 1:
            return greedy(scorer_class(model, features), start, max_length, end, null), None
        scorer = scorer_class(model, features.repeat_interleave(width, dim=0))
        return beam(scorer, start, max_length, end, null, width)

    if cached:
        captions, score = run(CachedScorer)
        if confirmed(model, features, start, captions, score):
            return captions
    return run(RecomputingScorer)[0]


def confirmed(
    model: Captioner,
    features: torch.Tensor,
    start: torch.Tensor,
    captions: torch.Tensor,
    score: torch.Tensor | None = None,
) -> bool:
    """Return whether one call of `model.forward` chooses the same words, or, with `score`, gives the same score.

    features (N, D), start (N,), captions (N, S), score (N,): the mean log-probability of each caption.
    """
    words = torch.cat([start[:, None], captions[:, :-1]], dim=1)
    written = torch.ones_like(captions, dtype=torch.bool)
    if model._end is not None:
        ended = (captions == model._end).cumsum(dim=1)
        written = ended - (captions == model._end).long() == 0  # up to and including <END>
    longest = int(written.sum(dim=1).max())
    captions, written = captions[:, :longest], written[:, :longest]
    scores = model(features, words[:, :longest])
    if score is None:
        return bool((scores.argmax(dim=-1) == captions)[written].all())
    logp = scores.float().log_softmax(dim=-1).gather(2, captions[..., None])[..., 0]
    mean = (logp * written).sum(dim=1) / written.sum(dim=1)
    return bool(torch.allclose(mean, score, atol=SAME_SCORE))
