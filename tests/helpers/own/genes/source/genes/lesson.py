# %% [markdown]
# # Genes (about 15 minutes)

# %% given imports
from utils.genes import check
from utils.genes.code import CODE

# %% [markdown]
# ## 1. The other strand
#
# **Write `reverse_complement(dna)`**: A and T, C and G exchanged, and read from the end.

# %% solution reverse_complement
def reverse_complement(dna):
    ### BEGIN SOLUTION
    return dna.translate(str.maketrans("ACGT", "TGCA"))[::-1]
    ### END SOLUTION

# %% test reverse_complement 2
check.reverse_complement(reverse_complement)
### BEGIN HIDDEN TESTS
exam.reverse_complement(reverse_complement)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Translate
#
# **Write `protein(dna)`**: the amino acid of each three letters by `CODE`, up to the first `*`, which is not part of it;
# letters that are left over at the end do not count.

# %% solution protein
def protein(dna):
    ### BEGIN SOLUTION
    acids = [CODE[dna[place : place + 3]] for place in range(0, len(dna) - 2, 3)]
    return "".join(acids).partition("*")[0]
    ### END SOLUTION

# %% test protein 3
check.protein(protein)
### BEGIN HIDDEN TESTS
exam.protein(protein)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. How alike?
#
# **Write `differences(a, b)`**: the places at which two strands of one length differ, in order, as a list.

# %% solution differences
def differences(a, b):
    ### BEGIN SOLUTION
    return [place for place, (x, y) in enumerate(zip(a, b)) if x != y]
    ### END SOLUTION

# %% test differences 1
check.differences(differences)
### BEGIN HIDDEN TESTS
exam.differences(differences)
### END HIDDEN TESTS
