# %% [markdown]
# # Secret letters (about 15 minutes)

# %% given imports
from utils.caesar import check
from utils.caesar.letters import ALPHABET

# %% [markdown]
# ## 1. Shift
#
# **Write `encrypted(text, key)`**: each letter of `ALPHABET` moved forward by `key` places, from z on to a; all else
# stays.

# %% solution encrypted
def encrypted(text, key):
    ### BEGIN SOLUTION
    moved = {letter: ALPHABET[(place + key) % 26] for place, letter in enumerate(ALPHABET)}
    return "".join(moved.get(letter, letter) for letter in text)
    ### END SOLUTION

# %% test encrypted 2
check.encrypted(encrypted)
### BEGIN HIDDEN TESTS
exam.encrypted(encrypted)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Break it
#
# **Write `broken(text)`**: the key, if the most frequent letter of the plain text is an e. Of equally frequent letters
# the first in the alphabet counts.

# %% solution broken
def broken(text):
    ### BEGIN SOLUTION
    most = max(ALPHABET, key=text.count)
    return (ALPHABET.index(most) - ALPHABET.index("e")) % 26
    ### END SOLUTION

# %% test broken 3
check.broken(broken)
### BEGIN HIDDEN TESTS
exam.broken(broken)
### END HIDDEN TESTS

# %% show all
print(encrypted("attack at dawn", 3))

# %% essay safe 2 [markdown]
# **How safe is this?** How many keys are there, and what does a longer text change?
# ### BEGIN SOLUTION
# There are 26 keys, one of which changes nothing. A longer text shows the letters' frequencies better.
#
# *Points.*
#
# - `keys` 1: 26 (or 25) keys. *Words:* 26, 25.
# - `longer` 1: a longer text is easier to break. *Words:* frequency, frequencies.
# ### END SOLUTION
