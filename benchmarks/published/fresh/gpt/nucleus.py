# %% sum_before_each [right]
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = (logits / temperature).softmax(dim=-1)
    ordered, order = p.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = ordered * (before < top_p)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(p).scatter(-1, order, kept)


# %% row_by_row_greedily [right]
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = torch.softmax(logits / temperature, dim=1)
    out = torch.zeros_like(p)
    for n, row in enumerate(p):
        reached = 0.0
        for v in row.argsort(descending=True).tolist():
            out[n, v] = row[v]
            reached += row[v].item()
            if reached >= top_p:
                break
    return out / out.sum(dim=1, keepdim=True)


# %% more_likely_letters_summed [right]
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = F.softmax(logits.div(temperature), -1)
    place = torch.arange(p.shape[1], device=p.device)
    likelier = p.unsqueeze(1) > p.unsqueeze(2)  # (N, v, u): u is likelier than v
    likelier |= (p.unsqueeze(1) == p.unsqueeze(2)) & (place[None, :] < place[:, None])
    ahead = (p.unsqueeze(1) * likelier).sum(-1)
    kept = torch.where(ahead < top_p, p, torch.zeros_like(p))
    return F.normalize(kept, p=1, dim=-1)


# %% flags_shifted [right]
def nucleus(logits, temperature=1.0, top_p=1.0):
    probs = torch.softmax(logits / temperature, dim=-1)
    sorted_probs, idx = torch.sort(probs, descending=True)
    remove = sorted_probs.cumsum(-1) >= top_p
    remove[:, 1:] = remove[:, :-1].clone()
    remove[:, 0] = False
    remove = torch.zeros_like(remove).scatter_(1, idx, remove)
    probs = probs.masked_fill(remove, 0.0)
    return probs / probs.sum(-1, keepdim=True)


# %% crossing_letter_lost [one] the letter that completes the sum is dropped unless it is the first
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = (logits / temperature).softmax(-1)
    ordered, order = p.sort(-1, descending=True)
    keep = ordered.cumsum(-1) <= top_p
    keep[:, 0] = True
    kept = ordered * keep
    return torch.zeros_like(p).scatter(1, order, kept / kept.sum(-1, keepdim=True))


# %% temperature_multiplies [one] the scores are multiplied by the temperature
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = (logits * temperature).softmax(-1)
    ordered, order = p.sort(-1, descending=True)
    kept = ordered * (ordered.cumsum(-1) - ordered < top_p)
    return torch.zeros_like(p).scatter(1, order, kept / kept.sum(-1, keepdim=True))


# %% at_least_top_p_each [one] letters are kept whose own probability is at least 1 - top_p
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = (logits / temperature).softmax(-1)
    kept = torch.where(p >= 1 - top_p, p, 0.0)
    best = p.argmax(-1, keepdim=True)
    kept = kept.scatter(1, best, p.gather(1, best))
    return kept / kept.sum(-1, keepdim=True)


# %% not_divided_in_sorted_order [two] the sum is not divided out, and columns stay sorted
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = (logits / temperature).softmax(-1)
    ordered, _ = p.sort(-1, descending=True)
    return ordered * (ordered.cumsum(-1) - ordered < top_p)


# %% no_temperature_least_likely [two] the temperature is ignored, and the least likely letters are kept
def nucleus(logits, temperature=1.0, top_p=1.0):
    p = logits.softmax(-1)
    ordered, order = p.sort(-1)
    kept = ordered * (ordered.cumsum(-1) - ordered < top_p)
    return torch.zeros_like(p).scatter(1, order, kept / kept.sum(-1, keepdim=True))
