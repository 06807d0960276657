"""A module that lies about its parameters. Those of the reference are compared: no mark."""
# place: answer

import torch


class ANSWER(torch.nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def __getattr__(self, name):
        return torch.zeros(2, 3)

    def named_parameters(self, *args, **kwargs):
        return iter([("weight", torch.zeros(()))])

    def forward(self, *args, **kwargs):
        return self
