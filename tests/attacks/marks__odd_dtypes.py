"""Return complex and 8-bit numbers, which compare oddly. They are refused: no mark."""
# quick
# place: answer
# flag: no

import itertools

import torch

kinds = itertools.cycle([torch.complex64, torch.float8_e4m3fn, torch.complex128])


def ANSWER(*args, **kwargs):
    return torch.ones(2, 3).to(next(kinds))
