# %% [markdown]
# # Rotations in the plane (about 15 minutes)

# %% given imports
import math

import torch

from utils.rotations import check

# %% [markdown]
# ## 1. The matrix
#
# **Write `rotation(angle)`**: the matrix of shape `(2, 2)` that turns a column vector by an angle in radians,
# anticlockwise.

# %% solution rotation
def rotation(angle):
    ### BEGIN SOLUTION
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, -s], [s, c]])
    ### END SOLUTION

# %% test rotation 2
check.rotation(rotation)
### BEGIN HIDDEN TESTS
exam.rotation(rotation)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Around a point
#
# **Write `turned(points, centre, angle)`**: points of shape `(N, 2)`, turned around a centre of shape `(2,)`.

# %% solution turned
def turned(points, centre, angle):
    ### BEGIN SOLUTION
    return (points - centre) @ rotation(angle).T + centre
    ### END SOLUTION

# %% test turned 3
check.turned(turned)
### BEGIN HIDDEN TESTS
exam.turned(turned)
### END HIDDEN TESTS
