"""What a word depends on, as the lesson `captioning` defines it, for tests of its figures."""

import torch


def depends_on(score, picture, patch, colour):
    """The falls (S,) of the words' log-probabilities when every point of a patch (top, left, size) has the colour."""
    top, left, size = patch
    rows, columns = (torch.arange(length) for length in picture.shape[:2])
    inside = ((rows >= top) & (rows < top + size))[:, None] & ((columns >= left) & (columns < left + size))
    return score(picture) - score(torch.where(inside[..., None], colour, picture))
