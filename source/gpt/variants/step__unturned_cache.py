def step(attention, x, cache=None):
    key, value = attention.split(attention.key(x)), attention.split(attention.value(x))
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    S, T = x.shape[1], key.shape[2]
    q = attention.rotate(attention.split(attention.query(x)), start=T - S)
    scores = q @ attention.rotate(key).transpose(-2, -1) / math.sqrt(attention.head_dim)
    seen = torch.ones(S, T, device=x.device).tril(T - S).bool()
    return attention.proj(attention.join(scores.masked_fill(~seen, float("-inf")).softmax(-1) @ value)), (key, value)
