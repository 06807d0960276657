# %% [markdown]
# # Primes (about 10 minutes)

# %% given imports
import numpy as np

from utils.primes import check

# %% [markdown]
# **Write `sieve(n)`**: an array of `n + 1` truth values, True for each number from 0 to `n` that is a prime.

# %% solution sieve
def sieve(n):
    ### BEGIN SOLUTION
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for number in range(2, int(n**0.5) + 1):
        if prime[number]:
            prime[number * number :: number] = False
    return prime
    ### END SOLUTION

# %% test sieve 3
check.sieve(sieve)
### BEGIN HIDDEN TESTS
exam.sieve(sieve)
### END HIDDEN TESTS

# %% [markdown]
# **Write `factors(n)`**: the prime factors of a number as a dictionary, `{2: 3, 5: 1}` for 40.

# %% solution factors
def factors(n):
    ### BEGIN SOLUTION
    found, factor = {}, 2
    while n > 1:
        while n % factor == 0:
            found[factor] = found.get(factor, 0) + 1
            n //= factor
        factor += 1
    return found
    ### END SOLUTION

# %% test factors 2
check.factors(factors)
### BEGIN HIDDEN TESTS
exam.factors(factors)
### END HIDDEN TESTS
