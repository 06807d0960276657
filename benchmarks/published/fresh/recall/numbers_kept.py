# %% plain [right]
def numbers_kept(T, d, heads=1):
    return 2 * T * d * heads, d**2 * heads


# %% summed_over_heads [right]
def numbers_kept(T, d, heads=1):
    cache = sum(T * (d + d) for _ in range(heads))
    tables = sum(d * d for _ in range(heads))
    return (cache, tables)


# %% keys_only [one] values are not counted
def numbers_kept(T, d, heads=1):
    return heads * T * d, heads * d * d


# %% table_grows [one] the table is counted for each pair
def numbers_kept(T, d, heads=1):
    return 2 * heads * T * d, heads * T * d * d


# %% scores_counted_no_heads [two] the heads are forgotten, and the table is 2d²
def numbers_kept(T, d, heads=1):
    return 2 * T * d, 2 * d * d
