# %% [markdown]
# # Bayes' rule (about 15 minutes)

# %% given imports
import numpy as np

from utils.bayes import check

# %% [markdown]
# ## 1. One observation
#
# **Write `posterior(prior, likelihood)`**: for hypotheses with prior probabilities of shape `(H,)` and the likelihood of
# what was seen under each, also `(H,)`, their probabilities afterwards.

# %% solution posterior
def posterior(prior, likelihood):
    ### BEGIN SOLUTION
    both = np.asarray(prior) * np.asarray(likelihood)
    return both / both.sum()
    ### END SOLUTION

# %% test posterior 2
check.posterior(posterior)
### BEGIN HIDDEN TESTS
exam.posterior(posterior)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. A sick person?
#
# **Write `sick_if_positive(share, sensitivity, specificity)`**: the probability that somebody with a positive test is
# sick, as a float.

# %% solution sick_if_positive
def sick_if_positive(share, sensitivity, specificity):
    ### BEGIN SOLUTION
    return float(posterior([share, 1 - share], [sensitivity, 1 - specificity])[0])
    ### END SOLUTION

# %% test sick_if_positive 2
check.sick_if_positive(sick_if_positive)
### BEGIN HIDDEN TESTS
exam.sick_if_positive(sick_if_positive)
### END HIDDEN TESTS
