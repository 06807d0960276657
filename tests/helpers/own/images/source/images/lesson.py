# %% [markdown]
# # Edges in pictures (about 20 minutes)

# %% given imports
import numpy as np

from utils.images import check

# %% [markdown]
# ## 1. Grey
#
# **Write `grey(picture)`**: the weighted mean of red, green, blue with weights 0.3, 0.6, 0.1, from shape `(H, W, 3)` to
# `(H, W)`.

# %% solution grey
def grey(picture):
    ### BEGIN SOLUTION
    return np.asarray(picture) @ np.array([0.3, 0.6, 0.1])
    ### END SOLUTION

# %% test grey 2
check.grey(grey)
### BEGIN HIDDEN TESTS
exam.grey(grey)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Edges
#
# **Write `edges(image, threshold)`**: True where a pixel differs from its right neighbour by more than a threshold; the
# shape is `(H, W - 1)`.

# %% solution edges
def edges(image, threshold):
    ### BEGIN SOLUTION
    image = np.asarray(image)
    return np.abs(image[:, 1:] - image[:, :-1]) > threshold
    ### END SOLUTION

# %% test edges 3
check.edges(edges)
### BEGIN HIDDEN TESTS
exam.edges(edges)
### END HIDDEN TESTS
