# %% broadcast_and_sum [right]
def dot_similarity(a, b):
    return (a.unsqueeze(1) * b.unsqueeze(0)).sum(dim=-1)


# %% torch_inner [right]
def dot_similarity(a, b):
    return torch.inner(a, b)


# %% other_way_round [one] (M, N)
def dot_similarity(a, b):
    return b @ a.T


# %% mean_of_products [one] divided by D
def dot_similarity(a, b):
    return (a[:, None] * b[None]).mean(dim=2)


# %% products_of_signs_halved [two] absolute values, and the mean
def dot_similarity(a, b):
    return (a[:, None] * b[None]).abs().mean(dim=2)
