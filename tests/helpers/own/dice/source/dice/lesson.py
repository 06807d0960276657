# %% [markdown]
# # Dice: chance (about 15 minutes)

# %% given imports
import numpy as np

from utils.dice import check

# %% [markdown]
# ## 1. Frequencies
#
# **Write `frequencies(rolls, sides)`**: the part of the rolls that shows 1, 2, … up to the number of sides, as an array.

# %% solution frequencies
def frequencies(rolls, sides):
    ### BEGIN SOLUTION
    return np.array([np.mean(np.asarray(rolls) == side) for side in range(1, sides + 1)])
    ### END SOLUTION

# %% test frequencies 3
check.frequencies(frequencies)
### BEGIN HIDDEN TESTS
exam.frequencies(frequencies)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Rolls
#
# **Write `mean_of_rolls(number, sides)`**: roll a die `number` times, and return the mean.

# %% solution mean_of_rolls
def mean_of_rolls(number, sides):
    ### BEGIN SOLUTION
    return float(np.random.randint(1, sides + 1, number).mean())
    ### END SOLUTION

# %% test mean_of_rolls 2
check.mean_of_rolls(mean_of_rolls)
### BEGIN HIDDEN TESTS
exam.mean_of_rolls(mean_of_rolls)
### END HIDDEN TESTS
