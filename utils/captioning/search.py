"""Writing captions with a trained model: greedily, or by beam search, with or without the key/value cache.

What: `greedy` and `beam` ask a scorer for the next word's scores. `CachedScorer` computes one position a step,
`RecomputingScorer` calls the model's own `forward` on everything so far.
Why two: the cache is fast but rebuilds `forward` from its parts; `forward` is what the student wrote. `search`
uses the cache and then lets `forward` confirm the captions in a single call; should they disagree, it decides.
Source: beam search as in Wu et al. 2016 (https://arxiv.org/abs/1609.08144), with scores averaged over words.
"""

import torch

from utils.captioning.cache import LayerCache

# Log-probabilities of a caption may differ this much between cache and forward: float32 sums in another order.
SAME_SCORE = 1e-2


class RecomputingScorer:
    """Next-word scores by `model(features, words so far)`: step t costs t positions."""

    def __init__(self, model, features: torch.Tensor):
        self.model, self.features, self.words = model, features, None

    def step(self, words: torch.Tensor) -> torch.Tensor:
        """The words of this position (N,) -> scores of the next (N, V)."""
        words = words[:, None]
        self.words = words if self.words is None else torch.cat([self.words, words], dim=1)
        return self.model(self.features, self.words)[:, -1]

    def choose(self, rows: torch.Tensor) -> None:
        """Go on with the captions `rows` (N',)."""
        self.features, self.words = self.features[rows], self.words[rows]


class CachedScorer:
    """Next-word scores from the model's parts, one position a step."""

    def __init__(self, model, features: torch.Tensor):
        self.model = model
        self.memory = model.visual_projection(features)[:, None]  # (N, D) -> (N, 1, E)
        self.embedded = None  # (N, t, E), before the positional encoding
        self.caches = [LayerCache() for _ in model.transformer.layers]

    def step(self, words: torch.Tensor) -> torch.Tensor:
        """The words of this position (N,) -> scores of the next (N, V)."""
        new = self.model.embedding(words)[:, None]  # (N, 1, E)
        self.embedded = new if self.embedded is None else torch.cat([self.embedded, new], dim=1)
        placed = self.model.positional_encoding(self.embedded)[:, -1:]
        return self.model.output(self.model.transformer.step(placed, self.memory, self.caches))[:, 0]

    def choose(self, rows: torch.Tensor) -> None:
        """Go on with the captions `rows` (N',)."""
        self.memory, self.embedded = self.memory[rows], self.embedded[rows]
        for cache in self.caches:
            cache.choose(rows)


def greedy(scorer, start: torch.Tensor, max_length: int, end: int | None, null: int) -> torch.Tensor:
    """Take the best word at every step: start words (N,) -> captions (N, max_length), `null` after `end`."""
    captions = start.new_full((len(start), max_length), null)
    words, open_ = start, torch.ones_like(start, dtype=torch.bool)
    for t in range(max_length):
        words = scorer.step(words).argmax(dim=-1)
        captions[open_, t] = words[open_]
        if end is not None:
            open_ = open_ & (words != end)
            if not open_.any():
                break
    return captions


def beam(scorer, start: torch.Tensor, max_length: int, end: int | None, null: int, width: int):
    """Keep the `width` best beginnings: (N,) -> captions (N, max_length) and their mean log-probability (N,)."""
    n = len(start)
    captions = start.new_full((n, width, max_length), null)
    total = torch.full((n, width), -torch.inf, device=start.device)
    total[:, 0] = 0.0  # all beams start equal: let the first alone branch
    length = torch.zeros(n, width, device=start.device)
    open_ = torch.ones(n, width, dtype=torch.bool, device=start.device)
    words, first = start.repeat_interleave(width), torch.arange(n, device=start.device)[:, None] * width
    for t in range(max_length):
        logp = scorer.step(words).float().log_softmax(dim=-1).view(n, width, -1)
        closed = torch.full_like(logp, -torch.inf)
        closed[..., null] = 0.0  # an ended caption goes on with nothing, at no cost
        logp = torch.where(open_[..., None], logp, closed)
        grown = total[..., None] + logp  # (N, width, V)
        lengths = (length + open_)[..., None].expand_as(grown)
        _, best = (grown / lengths).flatten(1).topk(width, dim=1)
        rows, words = best // logp.shape[-1], best % logp.shape[-1]
        total, length = grown.flatten(1).gather(1, best), lengths.flatten(1).gather(1, best)
        captions = captions.gather(1, rows[..., None].expand_as(captions))
        captions[:, :, t] = words
        open_ = open_.gather(1, rows)
        if end is not None:
            open_ = open_ & (words != end)
        if not open_.any():
            break
        scorer.choose((first + rows).flatten())
        words = words.flatten()
    return captions[:, 0], (total / length)[:, 0]


def search(model, features: torch.Tensor, max_length: int, width: int = 1, *, cached: bool = True) -> torch.Tensor:
    """Captions (N, max_length) of features (N, D); `width` 1 is greedy. The model's `forward` has the last word."""
    null, end = model._null, model._end
    start = torch.full((len(features),), model._start, dtype=torch.long, device=features.device)

    def run(scorer_class):
        if width == 1:
            return greedy(scorer_class(model, features), start, max_length, end, null), None
        scorer = scorer_class(model, features.repeat_interleave(width, dim=0))
        return beam(scorer, start, max_length, end, null, width)

    if cached:
        captions, score = run(CachedScorer)
        if confirmed(model, features, start, captions, score):
            return captions
    return run(RecomputingScorer)[0]


def confirmed(model, features, start, captions, score=None) -> bool:
    """True when one call of `model.forward` agrees: it would choose the same words, or gives the same score."""
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
