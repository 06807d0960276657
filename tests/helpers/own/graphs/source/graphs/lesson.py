# %% [markdown]
# # Graphs: how far is it? (about 15 minutes)

# %% given imports
from collections import deque

from utils.graphs import check

# %% [markdown]
# ## 1. Steps from one node
#
# **Write `distances(neighbours, start)`**: `neighbours[i]` lists the nodes next to node `i`; return for each node the
# number of steps from `start`, `None` where there is no way, as a list.

# %% solution distances
def distances(neighbours, start):
    ### BEGIN SOLUTION
    steps = [None] * len(neighbours)
    steps[start] = 0
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in neighbours[node]:
            if steps[other] is None:
                steps[other] = steps[node] + 1
                waiting.append(other)
    return steps
    ### END SOLUTION

# %% test distances 5
check.distances(distances)
### BEGIN HIDDEN TESTS
exam.distances(distances)
### END HIDDEN TESTS
