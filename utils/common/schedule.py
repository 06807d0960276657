"""The rate at which a network learns: a linear warm-up, then a cosine down to zero."""

import math

WARM_UP = 0.1  # the share of the steps in which the rate rises


def rate_factor(step: int, steps: int) -> float:
    """Return the share of the full rate at `step` of `steps`."""
    warm_up = WARM_UP * steps
    if step < warm_up:
        return (step + 1) / warm_up if warm_up > 1 else 1.0
    return 0.5 * (1 + math.cos(math.pi * (step - warm_up) / max(steps - warm_up, 1)))
