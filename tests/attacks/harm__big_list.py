"""Return a hundred tensors of one byte a number. Together they are too large for one value."""
# place: answer
# flag: no

import torch


def ANSWER(*args, **kwargs):
    return [torch.zeros(2**18, dtype=torch.uint8)] * 100
