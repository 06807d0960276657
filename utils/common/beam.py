"""Beam search: keep the best few beginnings of a sentence, continue each with every word, keep the best few again.

What: `Beams` keeps the beginnings and chooses the best. The caller passes the model's scores of the next words, and
reorders the model's state by the rows that `grow` returns.
Why the mean log-probability per word, not the sum: each word makes a sum smaller, so a sum prefers short sentences.
Source: Wu et al. 2016 (https://arxiv.org/abs/1609.08144), section 7, with the plain mean as the length penalty.
"""

import torch


class Beams:
    """The `width` best beginnings of each of N sentences, the best first.

    A beginning that has written the word `end` stays as it is, followed by `filler`; others may still overtake it. With
    `end` None no sentence ends. Tensors (N·width, ...) have the rows sentence by sentence, as `repeat_interleave`
    orders them.
    """

    def __init__(self, start: torch.Tensor, width: int, end: int | None, filler: int):
        """`start` (N,): the first word that the model reads for each sentence; it is not part of the result."""
        N, device = len(start), start.device
        self.width, self.end, self.filler = width, end, filler
        self.words = start.repeat_interleave(width)  # (N·width,), the words that the model reads next
        self.written = start.new_empty((N, width, 0))  # (N, width, S)
        self.total = torch.full((N, width), -torch.inf, device=device)  # summed log-probabilities
        self.total[:, 0] = 0.0  # all beginnings are still equal, so only the first may branch
        self.length = torch.zeros(N, width, device=device)  # words, `end` included
        self.ended = torch.zeros(N, width, dtype=torch.bool, device=device)

    def grow(self, scores: torch.Tensor) -> torch.Tensor:
        """Add a word to each beginning, by scores of the next words (N·width, V).

        Return for each new row the old row that it continues (N·width,).
        """
        N, width = self.total.shape
        log_p = scores.log_softmax(dim=-1).view(N, width, -1)  # (N, width, V)
        if self.end is not None:  # a sentence that has ended has one continuation, of log-probability 0
            log_p = log_p.masked_fill(self.ended.unsqueeze(2), -torch.inf)
            log_p[..., self.end] = log_p[..., self.end].masked_fill(self.ended, 0.0)
        total = self.total.unsqueeze(2) + log_p
        length = self.length + ~self.ended
        best = (total / length.unsqueeze(2)).flatten(1).topk(width, dim=1).indices  # (N, width), the best first
        beam, words = best // log_p.shape[2], best % log_p.shape[2]
        self.total, self.length = total.flatten(1).gather(1, best), length.gather(1, beam)
        ended_before = self.ended.gather(1, beam)
        added = words.masked_fill(ended_before, self.filler).unsqueeze(2)
        self.written = torch.cat([self.written.gather(1, beam.unsqueeze(2).expand_as(self.written)), added], dim=2)
        self.ended = ended_before if self.end is None else ended_before | (words == self.end)
        self.words = words.flatten()
        return (beam + width * torch.arange(N, device=beam.device).unsqueeze(1)).flatten()

    @property
    def all_ended(self) -> bool:
        """Whether all beginnings of all sentences have ended."""
        return bool(self.ended.all())

    def best(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the best beginning of each sentence (N, S) and its mean log-probability per word (N,)."""
        return self.written[:, 0], self.total[:, 0] / self.length[:, 0].clamp(min=1)
