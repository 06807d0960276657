# %% [markdown]
# # The perceptron (about 20 minutes)

# %% given imports
import torch
from torch import nn

from utils.perceptron import check

# %% [markdown]
# ## 1. The model
#
# **Write the module `Perceptron`**: parameters `weight` of shape `(D,)` and `bias` of shape `()`, and a `forward` that
# gives +1 or -1 for each row of `x`, of shape `(N,)`; a sum of exactly 0 gives +1.

# %% solution perceptron
class Perceptron(nn.Module):
    def __init__(self, D):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(D))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        ### BEGIN SOLUTION
        return torch.where(x @ self.weight + self.bias >= 0, 1.0, -1.0)
        ### END SOLUTION

# %% test perceptron 2
check.perceptron(Perceptron)
### BEGIN HIDDEN TESTS
exam.perceptron(Perceptron)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Learn
#
# **Write `epoch(model, x, y)`**: for one row after the other, if the model is wrong, add $y x$ to the weight and $y$ to
# the bias. Return the number of rows that were wrong.

# %% solution epoch
def epoch(model, x, y):
    ### BEGIN SOLUTION
    wrong = 0
    with torch.no_grad():
        for row, label in zip(x, y):
            if model(row[None])[0] != label:
                model.weight += label * row
                model.bias += label
                wrong += 1
    return wrong
    ### END SOLUTION

# %% test epoch 3
check.epoch(epoch, Perceptron)
### BEGIN HIDDEN TESTS
exam.epoch(epoch, Perceptron)
### END HIDDEN TESTS
