# %% [markdown]
# # Loans (about 10 minutes)

# %% given imports
from utils.loans import check

# %% [markdown]
# **Write `schedule(loan, rate, payment)`**: what is owed after each month, as a list, until it is 0. Each month the rate
# (0.01 for one per cent) is added first, then the payment is made; the last one is what is still owed. If the payment
# does not cover the first month's interest, raise a `ValueError`.

# %% solution schedule
def schedule(loan, rate, payment):
    ### BEGIN SOLUTION
    if payment <= loan * rate:
        raise ValueError("the loan is never paid back")
    owed = []
    while loan > 0:
        loan = max(0.0, loan * (1 + rate) - payment)
        owed.append(loan)
    return owed
    ### END SOLUTION

# %% test schedule 4
check.schedule(schedule)
### BEGIN HIDDEN TESTS
exam.schedule(schedule)
### END HIDDEN TESTS

# %%

# %% essay early 1 [markdown]
# **Pay early?** Which of two payments of one size saves more, one in the first year or one in the last?
# ### BEGIN SOLUTION
# The one in the first year: it saves the interest of all years after it.
#
# *Points.*
#
# - `first` 1: the earlier payment. *Words:* first, earlier, early.
# ### END SOLUTION
