# %% [markdown]
# # Springs: a step in time (about 20 minutes)
#
# A mass on a spring of strength $k$ feels the force $-k x$.

# %% given imports
from utils.springs import check

# %% [markdown]
# ## 1. One step
#
# **Write the class `Spring`**: `Spring(k)`, and its method `step(x, v, dt)`, which first moves the velocity by the force
# at `x`, then the place by the new velocity, and returns both.

# %% solution spring
class Spring:
    ### BEGIN SOLUTION
    def __init__(self, k):
        self.k = k

    def force(self, x):
        return -self.k * x

    def step(self, x, v, dt):
        v = v + dt * self.force(x)
        x = x + dt * v
        return x, v
    ### END SOLUTION

# %% test spring 4
check.spring(Spring)
### BEGIN HIDDEN TESTS
exam.spring(Spring)
### END HIDDEN TESTS

# %% essay energy 1 [markdown]
# **Why does the energy stay?** In which order are place and velocity moved, and what would happen in the other one?
# ### BEGIN SOLUTION
# The new velocity moves the place. With the old one the energy grows.
#
# *Points.*
#
# - `grows` 1: with the old velocity the energy grows. *Words:* grow, more energy.
# ### END SOLUTION
