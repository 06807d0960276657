"""Beam search: of all beginnings of a sentence keep the best few, continue each with every word, keep the best again.

What: `Beams` holds what was written so far and chooses; the caller asks its model for the scores of the next words
and lets everything that the model remembers follow the rows that were chosen.
Why the mean log-probability per word, not the sum: each word makes a sum smaller, so a sum prefers short sentences.
Source: Wu et al. 2016 (https://arxiv.org/abs/1609.08144), section 7, with the plain mean as the length penalty.
"""

import torch


class Beams:
    """The `width` best beginnings of each of N sentences, the best of them first.

    A sentence that has written `end` stays as it is, with `filler` in all places after it, and may still be overtaken;
    with `end` None no sentence ever ends. Rows of N·width run sentence by sentence, as `repeat_interleave` lays them.
    """

    def __init__(self, start: torch.Tensor, width: int, end: int | None, filler: int):
        """`start` (N,): the word that each sentence is begun with; it is no part of what is written."""
        N, device = len(start), start.device
        self.width, self.end, self.filler = width, end, filler
        self.words = start.repeat_interleave(width)  # (N·width,): the words to feed next
        self.written = start.new_empty((N, width, 0))  # (N, width, S)
        self.total = torch.full((N, width), -torch.inf, device=device)  # summed log-probabilities
        self.total[:, 0] = 0.0  # all beginnings are alike: let the first branch for all of them
        self.length = torch.zeros(N, width, device=device)  # words, `end` included
        self.ended = torch.zeros(N, width, dtype=torch.bool, device=device)

    def grow(self, scores: torch.Tensor) -> torch.Tensor:
        """Write one word: scores of the next words (N·width, V) -> rows (N·width,), which beginning each continues."""
        N, width = self.total.shape
        log_p = scores.log_softmax(dim=-1).view(N, width, -1)  # (N, width, V)
        if self.end is not None:  # what has ended goes on in one way only, at no cost
            log_p = log_p.masked_fill(self.ended.unsqueeze(2), -torch.inf)
            log_p[..., self.end] = log_p[..., self.end].masked_fill(self.ended, 0.0)
        total = self.total.unsqueeze(2) + log_p
        length = self.length + ~self.ended
        best = (total / length.unsqueeze(2)).flatten(1).topk(width, dim=1).indices  # (N, width), the best first
        beam, words = best // log_p.shape[2], best % log_p.shape[2]
        self.total, self.length = total.flatten(1).gather(1, best), length.gather(1, beam)
        before = self.ended.gather(1, beam)
        shown = words.masked_fill(before, self.filler).unsqueeze(2)
        self.written = torch.cat([self.written.gather(1, beam.unsqueeze(2).expand_as(self.written)), shown], dim=2)
        self.ended = before if self.end is None else before | (words == self.end)
        self.words = words.flatten()
        return (beam + width * torch.arange(N, device=beam.device).unsqueeze(1)).flatten()

    @property
    def all_ended(self) -> bool:
        """True when there is nothing left to write."""
        return bool(self.ended.all())

    def best(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the best of each sentence's beginnings (N, S) and its mean log-probability per word (N,)."""
        return self.written[:, 0], self.total[:, 0] / self.length[:, 0].clamp(min=1)
