# %% plain_law [right]
def axis(d, T):
    return T / (d * d)


# %% logarithm [right]
def axis(d: int, T: int) -> float:
    return math.log(T) - 2 * math.log(d)


# %% noise_of_the_law [right]
def axis(d, T):
    noise = math.sqrt(T) / d
    return noise


# %% linear_in_d [one] T / d instead of T / d²
def axis(d, T):
    return T / d


# %% upside_down [one] larger for fewer guests
def axis(d, T):
    return d**2 / T


# %% cube [one] T / d³
def axis(d, T):
    return T / d**3
