def dot_similarity(a, b):
    return (a[:, None] * b[None, :]).sum(dim=-1)
