def step(attention, x, cache=None):
    everything = x if cache is None else torch.cat([cache, x], dim=1)
    T, S = everything.shape[1], x.shape[1]
    q = attention.rotate(attention.split(attention.query(x)), T - S)
    k = attention.rotate(attention.split(attention.key(everything)))
    v = attention.split(attention.value(everything))
    bias = torch.full((S, T), float("-inf"), device=x.device).triu(T - S + 1)
    weights = torch.softmax(q @ k.mT / math.sqrt(attention.head_dim) + bias, dim=-1)
    return attention.proj(attention.join(weights @ v)), everything
