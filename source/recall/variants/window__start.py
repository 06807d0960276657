def window(q, k, v, width):
    start = max(0, k.shape[1] - width)
    k, v = k[:, start:], v[:, start:]
    scores = torch.einsum("nsd,ntd->nst", q, k) * q.shape[-1] ** -0.5
    return torch.softmax(scores, dim=2) @ v
