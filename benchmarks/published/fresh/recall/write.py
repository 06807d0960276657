# %% baddbmm [right]
def write(table, k, v):
    return torch.baddbmm(table, k.unsqueeze(2), v.unsqueeze(1))


# %% day_by_day [right]
def write(table, k, v):
    return torch.stack([M + torch.outer(key, value) for M, key, value in zip(table, k, v)])


# %% clone_in_place [right]
def write(table, k, v):
    new = table.clone()
    new += k[:, :, None] * v[:, None, :]
    return new


# %% in_place [one] the old table is changed
def write(table, k, v):
    table += k[:, :, None] * v[:, None, :]
    return table


# %% value_times_key [one] the column is the value and the row the key
def write(table, k, v):
    return table + v[:, :, None] * k[:, None, :]


# %% replaced_turned [two] the table is replaced, and rows and columns are exchanged
def write(table, k, v):
    return v[:, :, None] @ k[:, None, :]
