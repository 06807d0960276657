def cosine_similarity(a, b):
    top = a @ b.mT
    bottom = (a * a).sum(1).sqrt()[:, None] * (b * b).sum(1).sqrt()
    return top / bottom


assert torch.allclose(cosine_similarity(ratings, ratings)[0, 1], F.cosine_similarity(ratings[0], ratings[1], dim=0))
