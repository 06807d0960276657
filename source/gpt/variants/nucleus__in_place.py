def nucleus(logits, temperature=1.0, top_p=1.0):
    logits /= temperature
    p = F.softmax(logits, dim=-1)
    values, order = torch.sort(p, descending=True)
    drop = values.cumsum(-1) - values >= top_p
    p[torch.zeros_like(drop).scatter(1, order, drop)] = 0
    return p / p.sum(-1, keepdim=True)
