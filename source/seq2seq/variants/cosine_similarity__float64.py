def cosine_similarity(a, b):
    a64, b64 = a.double(), b.double()
    norms = torch.outer(torch.linalg.norm(a64, dim=1), torch.linalg.norm(b64, dim=1))
    return (a64 @ b64.T) / norms.clamp_min(1e-12)
