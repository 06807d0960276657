# %% [markdown]
# # Regression: a line through points (about 20 minutes)

# %% given imports
import torch
from torch import nn

from utils.regression import check

# %% [markdown]
# ## 1. The model
#
# **Write the module `Line`**: it has one linear layer `self.line` from `D` to 1 number, and returns shape `(N,)`.

# %% solution model
class Line(nn.Module):
    def __init__(self, D):
        super().__init__()
        ### BEGIN SOLUTION
        self.line = nn.Linear(D, 1)
        ### END SOLUTION

    def forward(self, x):
        return self.line(x).squeeze(1)

# %% test model 2
check.model(Line)
### BEGIN HIDDEN TESTS
exam.model(Line)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. The loss
#
# **Write `loss(model, x, y)`**: the mean of the squared errors.

# %% solution loss
def loss(model, x, y):
    ### BEGIN SOLUTION
    return (model(x) - y).square().mean()
    ### END SOLUTION

# %% test loss 2
check.loss(loss, Line)
### BEGIN HIDDEN TESTS
exam.loss(loss, Line)
### END HIDDEN TESTS

# %% show train
model = Line(2)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(20):
    x = torch.randn(50, 2)
    error = loss(model, x, x.sum(dim=1))
    optimiser.zero_grad()
    error.backward()
    optimiser.step()
print(error.item())
