# %% with_read_and_write [right]
def delta(table, k, v, strength=1.0):
    believed = read(table, k[:, None])[:, 0]
    return write(table, k, strength * (v - believed))


# %% expanded [right]
def delta(table, k, v, strength=1.0):
    kk = torch.einsum("ni,nj->nij", k, k)
    return table - strength * (kk @ table) + strength * torch.einsum("nd,ne->nde", k, v)


# %% fused_products [right]
def delta(table, k, v, strength=1.0):
    k = k.unsqueeze(-1)  # (N, d, 1)
    error = v.unsqueeze(1) - torch.bmm(k.transpose(1, 2), table)
    return torch.baddbmm(table, k, error, beta=1.0, alpha=strength)


# %% added_belief [one] what the table believes is added instead of subtracted
def delta(table, k, v, strength=1.0):
    believed = (k[:, None] @ table)[:, 0]
    return table + strength * k[:, :, None] * (v + believed)[:, None]


# %% strength_on_value_only [one] the strength multiplies only the new value
def delta(table, k, v, strength=1.0):
    believed = (k[:, None] @ table)[:, 0]
    return table + k[:, :, None] * (strength * v - believed)[:, None]


# %% strength_unused [one] the strength is ignored
def delta(table, k, v, strength=1.0):
    believed = torch.einsum("nd,nde->ne", k, table)
    return table + torch.einsum("nd,ne->nde", k, v - believed)


# %% in_place_only_adds [two] nothing is subtracted, and the old table is changed
def delta(table, k, v, strength=1.0):
    table += strength * k[:, :, None] * v[:, None, :]
    return table


# %% sign_and_squared_strength [two] the difference has the wrong sign, and the strength is squared
def delta(table, k, v, strength=1.0):
    believed = (k[:, None] @ table)[:, 0]
    return table + strength**2 * k[:, :, None] * (believed - v)[:, None]
