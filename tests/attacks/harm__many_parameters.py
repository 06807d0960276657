"""Hand in a module that claims a million million parameters. Nobody draws numbers for them."""
# place: answer
# flag: no

import torch


class Claims:
    shape = (2**19, 2**19)


class ANSWER(torch.nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def named_parameters(self, *args, **kwargs):
        return [("weight", Claims)]
