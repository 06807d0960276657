# %% broadcast_and_sum [right]
def dot_similarity(a, b):
    return (a[:, None, :] * b[None, :, :]).sum(dim=-1)


# %% linear_layer [right]
def dot_similarity(a, b):
    return F.linear(a, b)


# %% nested_lists [right]
def dot_similarity(a, b):
    return torch.stack([torch.stack([torch.dot(row, other) for other in b]) for row in a])


# %% turned [one] the result is (M, N): rows of b with rows of a
def dot_similarity(a, b):
    return b @ a.T


# %% mean_of_products [one] the mean of the products instead of their sum
def dot_similarity(a, b):
    return (a.unsqueeze(1) * b.unsqueeze(0)).mean(dim=2)


# %% normalised_turned [two] lengths are divided out, and the table is transposed
def dot_similarity(a, b):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    return (a @ b.T).T
