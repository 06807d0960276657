# %% sum_of_the_likelier [right] a letter is kept while those before it have less than top_p
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = torch.softmax(logits / temperature, dim=-1)
    ordered, where = p.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    ordered = ordered.masked_fill(before >= top_p, 0.0)
    kept = torch.zeros_like(p).scatter(-1, where, ordered)
    return kept / kept.sum(-1, keepdim=True)


# %% reaching_one_lost [one] the letter that reaches top_p is cut off
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = torch.softmax(logits / temperature, dim=-1)
    ordered, where = p.sort(dim=-1, descending=True)
    ordered = ordered * (ordered.cumsum(-1) <= top_p)
    kept = torch.zeros_like(p).scatter(-1, where, ordered)
    return kept / kept.sum(-1, keepdim=True)


# %% multiplied_left_sorted [two] times the temperature, columns stay sorted
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = torch.softmax(logits * temperature, dim=-1)
    ordered, where = p.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    ordered = ordered.masked_fill(before >= top_p, 0.0)
    return ordered / ordered.sum(-1, keepdim=True)
