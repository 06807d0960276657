"""Return columns and rows that make a huge matrix when subtracted. Memory outside is bounded."""
# place: answer
# flag: no

import itertools

import torch

shapes = itertools.cycle([(2**18, 1), (1, 2**18)])


def ANSWER(*args, **kwargs):
    return torch.zeros(next(shapes))
