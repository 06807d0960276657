def cosine_similarity(a, b):
    a, b = [x.div(torch.linalg.norm(x, dim=-1)[..., None]) for x in (a, b)]
    return a.matmul(b.t())
