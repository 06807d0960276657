def step(attention, x, cache=None):
    cache = {} if cache is None else dict(cache)
    start = cache.get("n", 0)
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = attention.rotate(attention.split(attention.key(x)), start)
    v = attention.split(attention.value(x))
    if start:
        k, v = torch.cat([cache["k"], k], 2), torch.cat([cache["v"], v], 2)
    new = x.shape[1]
    place = torch.arange(start, start + new, device=x.device)
    seen = torch.arange(start + new, device=x.device)[None] <= place[:, None]
    scores = (q @ k.transpose(2, 3) / math.sqrt(attention.head_dim)).masked_fill(~seen, float("-inf"))
    return attention.proj(attention.join(scores.softmax(-1) @ v)), {"k": k, "v": v, "n": start + new}
