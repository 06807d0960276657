def nucleus(logits, temperature=1.0, top_p=1.0):
    z, idx = (logits / temperature).sort(descending=True, dim=-1)
    remove = z.softmax(-1).cumsum(-1) >= top_p
    remove[:, 1:] = remove[:, :-1].clone()
    remove[:, 0] = False
    z = z.masked_fill(remove, -math.inf)
    return torch.empty_like(z).scatter_(-1, idx, z).softmax(-1)
