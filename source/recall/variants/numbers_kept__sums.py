def numbers_kept(T, d, heads=1):
    return sum(2 * d for _ in range(T)) * heads, sum(d for _ in range(d)) * heads
