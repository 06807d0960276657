def window(q, k, v, width):
    scores = q @ k[:, -width:].mT / q.size(-1) ** 0.5
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    return weights @ v[:, -width:] / weights.sum(-1, keepdim=True)
