# %% [markdown]
# # Byte pairs: a tokenizer (about 20 minutes)

# %% given imports
from utils.bytes import check

# %% [markdown]
# ## 1. Count
#
# **Write `pair_counts(words)`**: how often each pair of neighbouring letters occurs in a list of words, as a dictionary.

# %% solution pair_counts
def pair_counts(words):
    ### BEGIN SOLUTION
    counts = {}
    for word in words:
        for pair in zip(word, word[1:]):
            counts["".join(pair)] = counts.get("".join(pair), 0) + 1
    return counts
    ### END SOLUTION

# %% test pair_counts 3
check.pair_counts(pair_counts)
### BEGIN HIDDEN TESTS
exam.pair_counts(pair_counts)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Merge
#
# **Write `merged(word, pair)`**: the word as a list of parts, where each occurrence of the pair is one part.

# %% solution merged
def merged(word, pair):
    ### BEGIN SOLUTION
    parts, i = [], 0
    while i < len(word):
        step = 2 if word[i : i + 2] == pair else 1
        parts.append(word[i : i + step])
        i += step
    return parts
    ### END SOLUTION

# %% test merged 2
check.merged(merged)
### BEGIN HIDDEN TESTS
exam.merged(merged)
### END HIDDEN TESTS

# %% show all
print(merged("banana", max(pair_counts(["banana"]))))
