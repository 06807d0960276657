def dot_similarity(a, b):
    return torch.einsum("nd,md->nm", a, b)
