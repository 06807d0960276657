# %% [markdown]
# # Clusters: groups without labels (about 30 minutes)
#
# *k-means* finds $K$ groups of points. It repeats two steps: each point joins its nearest centre, and each centre moves
# to the mean of its points.

# %% given imports
import torch
from utils.clusters import check

# %% [markdown]
# ## 1. The nearest centre (about 10 minutes)
#
# **Write `nearest(points, centres)`**: from points of shape `(N, D)` and centres of shape `(K, D)` to the number of
# each point's nearest centre, of shape `(N,)`. The distance is the Euclidean one.

# %% solution nearest
def nearest(points, centres):
    """The number of each point's nearest centre: (N, D), (K, D) -> (N,)."""
    ### BEGIN SOLUTION
    apart = points[:, None, :] - centres[None, :, :]  # (N, K, D)
    return apart.square().sum(dim=2).argmin(dim=1)
    ### END SOLUTION

# %% test nearest 3
check.nearest(nearest)
### BEGIN HIDDEN TESTS
exam.nearest(nearest)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Moving the centres (about 10 minutes)
#
# **Write `moved(points, labels, centres)`**: it returns the new centres, of shape `(K, D)`, each the mean of the points
# that have its number as their label. A centre without points stays where it is.

# %% solution moved
def moved(points, labels, centres):
    """The mean of each centre's points: (N, D), (N,), (K, D) -> (K, D)."""
    ### BEGIN SOLUTION
    new = centres.clone()
    for k in range(len(centres)):
        mine = points[labels == k]
        if len(mine) > 0:
            new[k] = mine.mean(dim=0)
    return new
    ### END SOLUTION

# %% test moved 4
check.moved(moved)
### BEGIN HIDDEN TESTS
exam.moved(moved)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. What it does (about 10 minutes)

# %% show run
points = torch.cat([torch.randn(40, 2) + 4 * torch.tensor(place) for place in ([0, 0], [1, 0], [0, 1])])
centres = points[:3].clone()
for _ in range(10):
    centres = moved(points, nearest(points, centres), centres)
print(centres)

# %% essay why_it_ends 2 [markdown]
# **Why does it end?** No step makes the sum of squared distances larger. Why does k-means come to an end, and does it
# always find the best groups?
# ### BEGIN SOLUTION
# There are finitely many ways to give $N$ points one of $K$ labels, and the sum falls until nothing changes. The end
# depends on the first centres: it can be a local minimum.
#
# *Points.*
#
# - `finite` 1: finitely many labellings, and the sum never rises. *Words:* finite, falls, never rises, decreas.
# - `local` 1: the end depends on the start. *Words:* local, start, first, initial.
# ### END SOLUTION
