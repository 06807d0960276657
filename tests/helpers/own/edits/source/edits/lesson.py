# %% [markdown]
# # How far apart are two words? (about 20 minutes)

# %% given imports
from functools import lru_cache

from utils.edits import check

# %% [markdown]
# **Write `distance(a, b)`**: the least number of letters to insert, delete or replace that makes word `b` of word `a`.

# %% solution distance
def distance(a, b):
    ### BEGIN SOLUTION
    @lru_cache(None)
    def rest(i, j):
        if i == len(a) or j == len(b):
            return len(a) - i + len(b) - j
        if a[i] == b[j]:
            return rest(i + 1, j + 1)
        return 1 + min(rest(i + 1, j), rest(i, j + 1), rest(i + 1, j + 1))

    return rest(0, 0)
    ### END SOLUTION

# %% test distance 4
check.distance(distance)
### BEGIN HIDDEN TESTS
exam.distance(distance)
### END HIDDEN TESTS

# %% [markdown]
# **Write `suggest(word, words, most=2)`**: those of a list at a distance of at most `most`, the nearest first, equally
# near ones in the order of the alphabet.

# %% solution suggest
def suggest(word, words, most=2):
    ### BEGIN SOLUTION
    near = sorted((distance(word, other), other) for other in words)
    return [other for far, other in near if far <= most]
    ### END SOLUTION

# %% test suggest 2
check.suggest(suggest)
### BEGIN HIDDEN TESTS
exam.suggest(suggest)
### END HIDDEN TESTS
