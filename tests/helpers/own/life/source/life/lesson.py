# %% [markdown]
# # The game of life (about 20 minutes)

# %% given imports
import torch

from utils.life import check

# %% [markdown]
# ## 1. Neighbours
#
# **Write `neighbours(world)`**: how many of the eight cells around each cell live, for a world of 0 and 1 of shape
# `(H, W)`. Beyond an edge comes the opposite edge.

# %% solution neighbours
def neighbours(world):
    ### BEGIN SOLUTION
    shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    return sum(torch.roll(world, shift, (0, 1)) for shift in shifts)
    ### END SOLUTION

# %% test neighbours 3
check.neighbours(neighbours)
### BEGIN HIDDEN TESTS
exam.neighbours(neighbours)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. A generation
#
# **Write `generation(world)`**: a cell lives on with two or three neighbours, and comes to life with three.

# %% solution generation
def generation(world):
    ### BEGIN SOLUTION
    around = neighbours(world)
    return ((around == 3) | ((world == 1) & (around == 2))).long()
    ### END SOLUTION

# %% test generation 2
check.generation(generation)
### BEGIN HIDDEN TESTS
exam.generation(generation)
### END HIDDEN TESTS

# %% show all
world = torch.randint(0, 2, (10, 20))
for _ in range(5):
    world = generation(world)
print(world)
