def nucleus(logits, temperature=1.0, top_p=1.0):
    p = (logits / temperature).softmax(-1)
    order = p.argsort(-1, descending=True)
    s = p.gather(-1, order)
    s = torch.where(s.cumsum(-1) - s < top_p, s, torch.zeros_like(s))
    kept = s.gather(-1, order.argsort(-1))
    return F.normalize(kept, p=1, dim=-1)
