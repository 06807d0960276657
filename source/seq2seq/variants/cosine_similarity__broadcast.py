def cosine_similarity(a, b):
    dots = torch.sum(a.unsqueeze(1) * b.unsqueeze(0), -1)
    la, lb = a.square().sum(-1).sqrt(), b.square().sum(-1).sqrt()
    return dots / torch.outer(la, lb)
