# %% after self_attention
# %% [markdown]
# ### A question of our course: sharper or flatter (about 5 minutes)
#
# A *temperature* $\tau > 0$ makes attention sharper (below 1) or flatter (above 1):
#
# $$a_t = \frac{\exp(s_t / \tau)}{\sum_u \exp(s_u / \tau)}.$$
#
# **Write `tempered(scores, temperature)`**: it takes `scores` of shape `(N, T)` and a number, and returns the weights,
# of the same shape, each row of which sums to 1.

# %% given more_checks
from utils.attention import more


# %% solution tempered
def tempered(scores, temperature):
    """Softmax of each row at a temperature: (N, T) -> (N, T)."""
    ### BEGIN SOLUTION
    return torch.softmax(scores / temperature, dim=1)
    ### END SOLUTION

# %% test tempered 3
more.tempered(tempered)
### BEGIN HIDDEN TESTS
exam.tempered(tempered)
### END HIDDEN TESTS
