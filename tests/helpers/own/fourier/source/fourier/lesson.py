# %% [markdown]
# # Fourier (about 15 minutes)

# %% given imports
import numpy as np

from utils.fourier import check

# %% [markdown]
# **Write `dft(x)`** for a signal of shape `(N,)`: $X_k = \sum_n x_n e^{-2 \pi i k n / N}$, complex.

# %% solution dft
def dft(x):
    ### BEGIN SOLUTION
    N = len(x)
    n = np.arange(N)
    return np.exp(-2j * np.pi * np.outer(n, n) / N) @ np.asarray(x)
    ### END SOLUTION

# %% test dft 3
check.dft(dft)
### BEGIN HIDDEN TESTS
exam.dft(dft)
### END HIDDEN TESTS

# %% [markdown]
# **Write `loudest(x, rate)`**: the frequency in hertz with the largest $|X_k|$ among $0 < k \le N/2$; `rate` is the
# number of samples in a second.

# %% solution loudest
def loudest(x, rate):
    ### BEGIN SOLUTION
    N = len(x)
    strength = np.abs(dft(x))[1 : N // 2 + 1]
    return float((strength.argmax() + 1) * rate / N)
    ### END SOLUTION

# %% test loudest 2
check.loudest(loudest)
### BEGIN HIDDEN TESTS
exam.loudest(loudest)
### END HIDDEN TESTS
