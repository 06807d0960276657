def step(attention, x, cache=None):
    k = attention.split(attention.key(x))
    v = attention.split(attention.value(x))
    if cache is None:
        return attention(x), (attention.rotate(k), v)
    start = cache[0].shape[2]
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = torch.cat([cache[0], attention.rotate(k, start)], 2)
    v = torch.cat([cache[1], v], 2)
    S, T = q.shape[2], k.shape[2]
    seen = torch.ones(S, T, device=x.device).tril(T - S) > 0
    a = (q @ k.mT / attention.head_dim**0.5).masked_fill(~seen, -math.inf).softmax(-1)
    return attention.proj(attention.join(a @ v)), (k, v)
