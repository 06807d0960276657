def nucleus(logits, temperature=1.0, top_p=1.0):
    p = F.softmax(logits / temperature, dim=1)
    likelier = p.unsqueeze(1) > p.unsqueeze(2)
    before = (likelier * p.unsqueeze(1)).sum(dim=2)
    p = p * (before < top_p)
    return p / p.sum(1, keepdim=True)
