"""Numerical gradients, to check analytic ones against.

.. math:: \\partial f / \\partial x_i \\approx (f(x + h e_i) - f(x - h e_i)) / 2h

Source: central differences; their error falls with h², rounding grows with 1/h: h = 1e-5 suits float64.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["eval_numerical_gradient", "eval_numerical_gradient_array", "rel_error"]

Function = Callable[[np.ndarray], ArrayLike]


def eval_numerical_gradient(f: Function, x: np.ndarray, verbose: bool = False, h: float = 1e-5) -> np.ndarray:
    """Return the gradient of a number f(x), an array of x's shape; `x` is float64, changed in place and restored."""
    return eval_numerical_gradient_array(f, x, 1.0, h, verbose=verbose)


def eval_numerical_gradient_array(
    f: Function, x: np.ndarray, df: ArrayLike, h: float = 1e-5, *, verbose: bool = False
) -> np.ndarray:
    """Return the gradient of sum(f(x) * df), for an array f(x); `df` is a loss's gradient with respect to f(x)."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        kept = x[index]
        x[index] = kept + h
        above = np.array(f(x), copy=True)
        x[index] = kept - h
        below = np.array(f(x), copy=True)
        x[index] = kept
        gradient[index] = np.sum((above - below) * np.asarray(df)) / (2 * h)
        if verbose:
            print(index, gradient[index])
    return gradient


def rel_error(x: ArrayLike, y: ArrayLike) -> float:
    """Return the largest relative difference: max |x - y| / max(1e-8, |x| + |y|)."""
    x, y = np.asarray(x), np.asarray(y)
    return float(np.max(np.abs(x - y) / np.maximum(1e-8, np.abs(x) + np.abs(y)), initial=0.0))
