# %% [markdown]
# # The weather as a chain (about 20 minutes)

# %% given imports
import torch

from utils.markov import check

# %% [markdown]
# ## 1. Count
#
# **Write `transitions(days, K)`**: the matrix of shape `(K, K)` whose row `i` says how probable each kind of weather is
# after kind `i`, from a list of days with numbers from 0 to `K - 1`. A kind that is never followed has a row of zeros.

# %% solution transitions
def transitions(days, K):
    ### BEGIN SOLUTION
    counts = torch.zeros(K, K)
    for today, tomorrow in zip(days, days[1:]):
        counts[today, tomorrow] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)
    ### END SOLUTION

# %% test transitions 3
check.transitions(transitions)
### BEGIN HIDDEN TESTS
exam.transitions(transitions)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. In a week
#
# **Write `after(start, P, days)`**: the probabilities after some days, from those at the start, of shape `(K,)`.

# %% solution after
def after(start, P, days):
    ### BEGIN SOLUTION
    for _ in range(days):
        start = start @ P
    return start
    ### END SOLUTION

# %% test after 2
check.after(after)
### BEGIN HIDDEN TESTS
exam.after(after)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. Draw
#
# **Write `sampled(P, start, days)`**: a list of `days` kinds of weather drawn from the chain, of which the first is
# `start`.

# %% solution sampled
def sampled(P, start, days):
    ### BEGIN SOLUTION
    found = [start]
    while len(found) < days:
        found.append(int(torch.multinomial(P[found[-1]], 1)))
    return found
    ### END SOLUTION

# %% test sampled 2
check.sampled(sampled)
### BEGIN HIDDEN TESTS
exam.sampled(sampled)
### END HIDDEN TESTS
