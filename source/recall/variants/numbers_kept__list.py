def numbers_kept(T, d, heads=1):
    return [2 * T * d * heads, d * d * heads]
