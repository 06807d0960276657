def nucleus(logits, temperature=1.0, top_p=1.0):
    logits = logits / temperature
    ordered, order = logits.sort(dim=-1, descending=True)
    total = ordered.softmax(-1).cumsum(-1)
    remove = total > top_p
    remove = torch.cat([torch.zeros_like(remove[:, :1]), remove[:, :-1]], dim=-1)
    remove = torch.zeros_like(remove).scatter(1, order, remove)
    return logits.masked_fill(remove, float("-inf")).softmax(dim=-1)
