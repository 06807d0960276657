def axis(d, T):
    return 8 * T / (d * d)
