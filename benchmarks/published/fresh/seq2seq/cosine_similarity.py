# %% normalised_rows [right]
def cosine_similarity(a, b):
    a = a / a.norm(dim=1, keepdim=True)
    b = b / b.norm(dim=1, keepdim=True)
    return a @ b.T


# %% outer_of_lengths [right]
def cosine_similarity(a, b):
    length = lambda x: torch.einsum("nd,nd->n", x, x).sqrt()
    return dot_similarity(a, b) / torch.outer(length(a), length(b))


# %% square_roots_at_the_end [right]
def cosine_similarity(a, b):
    squares = (a * a).sum(1).unsqueeze(1) * (b * b).sum(1).unsqueeze(0)
    return (a @ b.t()) * squares.rsqrt()


# %% f_normalize [right]
def cosine_similarity(a, b):
    return F.normalize(a, p=2, dim=-1) @ F.normalize(b, p=2, dim=-1).mT


# %% squared_lengths [one] divided by the squared lengths
def cosine_similarity(a, b):
    return (a @ b.T) / ((a**2).sum(1)[:, None] * (b**2).sum(1)[None, :])


# %% only_by_a [one] divided by the length of a only
def cosine_similarity(a, b):
    return (a @ b.T) / a.norm(dim=1, keepdim=True)


# %% pearson [one] the mean of each row is subtracted first
def cosine_similarity(a, b):
    a = a - a.mean(dim=1, keepdim=True)
    b = b - b.mean(dim=1, keepdim=True)
    return (a @ b.T) / (a.norm(dim=1)[:, None] * b.norm(dim=1)[None, :])


# %% in_place_columns [two] columns are normalised instead of rows, in place
def cosine_similarity(a, b):
    a /= a.norm(dim=0, keepdim=True)
    b /= b.norm(dim=0, keepdim=True)
    return a @ b.T


# %% one_norm_and_absolute [two] sums of absolute values as lengths, and the absolute value of the result
def cosine_similarity(a, b):
    a = a / a.abs().sum(1, keepdim=True)
    b = b / b.abs().sum(1, keepdim=True)
    return (a @ b.T).abs()
