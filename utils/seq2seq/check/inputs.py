"""Inputs that several questions share: sentences of unequal length, their masks and their padding."""

import torch

from utils.checks.engine.probe import Probe
from utils.seq2seq.vocabulary import EOS_token, PAD_token


def lengths(probe: Probe, longest: int) -> torch.Tensor:
    """Return the lengths (N,) of sentences: `longest` for the first, from 2 to `longest` - 1 for the others."""
    rest = probe.integers(2, longest, probe["N"] - 1)
    return torch.cat([torch.tensor([longest]), rest])


def mask_of(lengths: torch.Tensor, longest: int) -> torch.Tensor:
    """Lengths (N,) -> mask (N, longest) of booleans, True at words, False at padding."""
    return torch.arange(longest) < lengths.unsqueeze(1)


def ended(words: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the words (N, S) with EOS as the last word of each sentence and PAD after it."""
    words = words.scatter(1, (lengths - 1).unsqueeze(1), EOS_token)
    return words.masked_fill(~mask_of(lengths, words.shape[1]), PAD_token)


def moved(before: torch.Tensor, after: torch.Tensor) -> bool:
    """Return whether two results differ in shape or in any number."""
    return before.shape != after.shape or not torch.equal(before, after)
