def attend(scores, states, mask):
    top = torch.where(mask, scores, torch.full_like(scores, -1e30)).max(1, keepdim=True).values
    e = torch.where(mask, scores - top, torch.zeros_like(scores)).exp() * mask
    weights = e / e.sum(1, keepdim=True)
    return (weights[..., None] * states).sum(1), weights
