"""Return a value of a gigabyte. It does not cross."""
# place: answer
# flag: no

import torch


def ANSWER(*args, **kwargs):
    return torch.zeros(2**20).expand(250, 2**20)
