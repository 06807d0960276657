def axis(d, T):
    return -(d**2) / T
