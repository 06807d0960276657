# %% [markdown]
# # Sorting by merging (about 20 minutes)

# %% given imports
from utils.sorting import check

# %% [markdown]
# ## 1. Merge
#
# **Write `merge(a, b)`**: the items of two sorted lists in order, as a list; of equal ones that of `a` comes first. Items
# are pairs, of which the first number counts.

# %% solution merge
def merge(a, b):
    ### BEGIN SOLUTION
    i, j, merged = 0, 0, []
    while i < len(a) or j < len(b):
        if j == len(b) or (i < len(a) and a[i][0] <= b[j][0]):
            merged.append(a[i])
            i += 1
        else:
            merged.append(b[j])
            j += 1
    return merged
    ### END SOLUTION

# %% test merge 3
check.merge(merge)
### BEGIN HIDDEN TESTS
exam.merge(merge)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Sort
#
# **Write `merge_sort(items)`**: a new, sorted list; the given one stays as it was.

# %% solution merge_sort
def merge_sort(items):
    ### BEGIN SOLUTION
    if len(items) < 2:
        return list(items)
    middle = len(items) // 2
    return merge(merge_sort(items[:middle]), merge_sort(items[middle:]))
    ### END SOLUTION

# %% test merge_sort 2
check.merge_sort(merge_sort)
### BEGIN HIDDEN TESTS
exam.merge_sort(merge_sort)
### END HIDDEN TESTS
