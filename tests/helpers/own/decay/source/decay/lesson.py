# %% [markdown]
# # Decay, step by step (about 15 minutes)
#
# A quantity $x$ shrinks at the rate $x' = -r x$.

# %% given imports
import torch

from utils.decay import check

# %% [markdown]
# ## 1. Euler's steps
#
# **Write `euler(x, r, dt, steps)`**: all values from the first to the last, as a tensor of shape `(steps + 1, N)` for a
# start `x` of shape `(N,)`.

# %% solution euler
def euler(x, r, dt, steps):
    ### BEGIN SOLUTION
    values = [x]
    for _ in range(steps):
        values.append(values[-1] - dt * r * values[-1])
    return torch.stack(values)
    ### END SOLUTION

# %% test euler 3
check.euler(euler)
### BEGIN HIDDEN TESTS
exam.euler(euler)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Half of it
#
# **Write `half_life(r)`**: after which time half is left, as a float.

# %% solution half_life
def half_life(r):
    ### BEGIN SOLUTION
    return float(torch.log(torch.tensor(2.0)) / r)
    ### END SOLUTION

# %% test half_life 1
check.half_life(half_life)
### BEGIN HIDDEN TESTS
exam.half_life(half_life)
### END HIDDEN TESTS

# %% show plot
import matplotlib.pyplot as plt

plt.plot(euler(torch.ones(1), 0.5, 0.1, 40))
plt.xlabel("step")
plt.show()
