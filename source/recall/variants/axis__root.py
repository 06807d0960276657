def axis(d, T):
    return math.sqrt(T) / d
