# %% compared_with_numpy_rows [right]
def wished_attention(kind, slot):
    pair = torch.stack([kind, slot], 1)
    same = (pair[:, None, :] == pair[None, :, :]).all(dim=2)
    return same / same.sum(1, keepdim=True)


# %% kinds_only [one] the slot is forgotten
def wished_attention(kind, slot):
    same = (kind.view(-1, 1) == kind.view(1, -1)).float()
    return same / same.sum(1, keepdim=True)


# %% side_by_side_undivided [two] two one-hot vectors side by side, and no division
def wished_attention(kind, slot):
    f = torch.cat([nn.functional.one_hot(kind, 3), nn.functional.one_hot(slot, 8)], dim=1).float()
    return f @ f.T
