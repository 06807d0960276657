def axis(d, T):
    return math.log(T) - 2 * math.log(d)
