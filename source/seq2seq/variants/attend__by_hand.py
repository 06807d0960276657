def attend(scores, states, mask):
    s = scores + (1.0 - mask.to(scores.dtype)) * -1e9
    s = s - s.max(dim=1, keepdim=True).values
    e = s.exp()
    weights = e / e.sum(dim=1, keepdim=True)
    return (weights[:, :, None] * states).sum(dim=1), weights
