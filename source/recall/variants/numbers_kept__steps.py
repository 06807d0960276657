def numbers_kept(T, d, heads=1):
    pair = d + d
    cache = heads * pair * T
    table = heads * d**2
    return cache, table
