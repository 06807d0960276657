def longueur(x):
    return (x * x).sum(1).sqrt()


def cosine_similarity(a, b):
    produits = torch.matmul(a, b.t())
    return produits / (longueur(a)[:, None] * longueur(b)[None, :])
