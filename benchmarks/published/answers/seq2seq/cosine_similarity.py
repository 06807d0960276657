# %% unit_rows [right]
def cosine_similarity(a, b):
    a = a / a.norm(dim=1, keepdim=True)
    b = b / b.norm(dim=1, keepdim=True)
    return a @ b.T


# %% outer_of_lengths [right]
def cosine_similarity(a, b):
    lengths = torch.outer(a.pow(2).sum(1).sqrt(), b.pow(2).sum(1).sqrt())
    return dot_similarity(a, b) / lengths


# %% squares_without_root [one]
def cosine_similarity(a, b):
    return a @ b.T / torch.outer((a**2).sum(1), (b**2).sum(1))


# %% one_norm_for_all [one] the norm of the whole table
def cosine_similarity(a, b):
    return (a @ b.T) / (torch.norm(a) * torch.norm(b))


# %% sums_of_components [one] the lengths are sums of absolute values
def cosine_similarity(a, b):
    return (a @ b.T) / torch.outer(a.abs().sum(1), b.abs().sum(1))


# %% columns_in_place [two] lengths of columns, and a is changed
def cosine_similarity(a, b):
    a /= a.norm(dim=0, keepdim=True)
    b = b / b.norm(dim=0, keepdim=True)
    return a @ b.T
