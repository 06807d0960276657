def step(attention, x, cache=None):
    start = cache[0].size(2) if cache else 0
    q, k = (attention.rotate(attention.split(f(x)), start) for f in (attention.query, attention.key))
    v = attention.split(attention.value(x))
    if cache:
        k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (k, v)))
    mask = torch.ones(q.size(2), k.size(2), dtype=torch.bool, device=x.device).tril(start)
    found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return attention.proj(attention.join(found)), [k, v]
