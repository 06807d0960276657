"""Inputs that several questions share: sentences of unequal length, their masks and their padding."""

import torch

from utils.checks.engine.probe import Probe
from utils.translation.vocabulary import EOS_token, PAD_token


def lengths(probe: Probe, longest: int) -> torch.Tensor:
    """Lengths of N sentences, between 2 and `longest`; the first fills its row, the others do not."""
    rest = probe.integers(2, longest, probe["N"] - 1)
    return torch.cat([torch.tensor([longest]), rest])


def mask_of(lengths: torch.Tensor, longest: int) -> torch.Tensor:
    """(N,) -> bool (N, T), True at words."""
    return torch.arange(longest) < lengths.unsqueeze(1)


def padded(words: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The words with PAD_token wherever the mask is False."""
    return words.masked_fill(~mask, PAD_token)


def ended(words: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """The words (N, S) with EOS as the last of each sentence and PAD after it."""
    longest = words.shape[1]
    words = words.scatter(1, (lengths - 1).unsqueeze(1), EOS_token)
    return padded(words, mask_of(lengths, longest))


def moved(one: torch.Tensor, other: torch.Tensor) -> bool:
    """True when two results differ."""
    return one.shape != other.shape or not torch.equal(one, other)
