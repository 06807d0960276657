"""Claim to be a tensor by __class__. The bytes that cross are made from a real one: no mark."""
# place: answer

import torch


class Liar:
    @property
    def __class__(self):
        return torch.Tensor

    def __getattr__(self, name):
        return lambda *args, **kwargs: self


def ANSWER(*args, **kwargs):
    return Liar()
