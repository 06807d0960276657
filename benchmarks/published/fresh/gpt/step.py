# %% dictionary [right]
def step(attention, x, cache=None):
    start = 0 if cache is None else cache["k"].shape[2]
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = attention.rotate(attention.split(attention.key(x)), start)
    v = attention.split(attention.value(x))
    if cache is not None:
        k = torch.cat([cache["k"], k], dim=2)
        v = torch.cat([cache["v"], v], dim=2)
    S, T = q.shape[2], k.shape[2]
    sees = torch.ones(S, T, dtype=torch.bool, device=x.device).tril(T - S)
    scores = (q @ k.transpose(-2, -1)) / math.sqrt(attention.head_dim)
    weights = scores.masked_fill(~sees, float("-inf")).softmax(dim=-1)
    return attention.proj(attention.join(weights @ v)), {"k": k, "v": v}


# %% unturned_keys_kept [right]
def step(attention, x, cache=None):
    keys, values = attention.key(x), attention.value(x)
    if cache is not None:
        keys, values = (torch.cat(pair, dim=1) for pair in zip(cache, (keys, values)))
    S, T = x.shape[1], keys.shape[1]
    q = attention.rotate(attention.split(attention.query(x)), start=T - S)
    k = attention.rotate(attention.split(keys), start=0)
    place = torch.arange(T, device=x.device)
    mask = place[None, :] <= place[T - S :, None]
    y = F.scaled_dot_product_attention(q, k, attention.split(values), attn_mask=mask)
    return attention.proj(attention.join(y)), (keys, values)


# %% one_at_a_time [right]
def step(attention, x, cache=None):
    keys, values = cache if cache else ([], [])
    keys, values = list(keys), list(values)
    results = []
    for s in range(x.shape[1]):
        new, p = x[:, s : s + 1], len(keys)
        q = attention.rotate(attention.split(attention.query(new)), p)
        keys.append(attention.rotate(attention.split(attention.key(new)), p))
        values.append(attention.split(attention.value(new)))
        k, v = torch.cat(keys, dim=2), torch.cat(values, dim=2)
        weights = torch.softmax(q @ k.mT * attention.head_dim**-0.5, dim=-1)
        results.append(attention.join(weights @ v))
    return attention.proj(torch.cat(results, dim=1)), (keys, values)


# %% empty_cache_first [right]
def step(attention, x, cache=None):
    def heads(layer):
        return attention.split(layer(x))

    q, k, v = heads(attention.query), heads(attention.key), heads(attention.value)
    if cache is None:
        cache = k[:, :, :0], v[:, :, :0]
    old = cache[0].shape[-2]
    q, k = attention.rotate(q, old), attention.rotate(k, old)
    k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
    hidden = torch.full((x.shape[1], k.shape[-2]), -1e9, device=x.device).triu(old + 1)
    weights = F.softmax(torch.einsum("nhsd,nhtd->nhst", q, k) / attention.head_dim**0.5 + hidden, dim=-1)
    return attention.proj(attention.join(weights @ v)), (k, v)


# %% start_forgotten [one] new places are always turned from position 0
def step(attention, x, cache=None):
    q = attention.rotate(attention.split(attention.query(x)))
    k = attention.rotate(attention.split(attention.key(x)))
    v = attention.split(attention.value(x))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    S, T = q.shape[2], k.shape[2]
    mask = torch.ones(S, T, device=x.device).tril(T - S) == 0
    weights = (q @ k.mT / math.sqrt(attention.head_dim)).masked_fill(mask, float("-inf")).softmax(-1)
    return attention.proj(attention.join(weights @ v)), (k, v)


# %% no_mask_at_all [one] new places see one another in both directions
def step(attention, x, cache=None):
    start = 0 if cache is None else cache[0].size(2)
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = attention.rotate(attention.split(attention.key(x)), start)
    v = attention.split(attention.value(x))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    weights = (q @ k.mT / math.sqrt(attention.head_dim)).softmax(-1)
    return attention.proj(attention.join(weights @ v)), (k, v)


# %% square_corner_mask [one] the mask's diagonal begins at the first place, not at the first new one
def step(attention, x, cache=None):
    start = 0 if cache is None else cache[0].size(2)
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = attention.rotate(attention.split(attention.key(x)), start)
    v = attention.split(attention.value(x))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    S, T = q.shape[2], k.shape[2]
    mask = torch.ones(S, T, device=x.device).tril() == 0
    weights = (q @ k.mT / math.sqrt(attention.head_dim)).masked_fill(mask, float("-inf")).softmax(-1)
    return attention.proj(attention.join(weights @ v)), (k, v)


# %% old_cache_returned [one] the new places are not in the cache that is returned
def step(attention, x, cache=None):
    start = 0 if cache is None else cache[0].size(2)
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = attention.rotate(attention.split(attention.key(x)), start)
    v = attention.split(attention.value(x))
    if cache is None:
        cache = (k, v)
    else:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    S, T = q.shape[2], k.shape[2]
    mask = torch.ones(S, T, device=x.device).tril(T - S) == 0
    weights = (q @ k.mT / math.sqrt(attention.head_dim)).masked_fill(mask, float("-inf")).softmax(-1)
    return attention.proj(attention.join(weights @ v)), cache


# %% keys_at_zero_unscaled [two] the keys are turned from 0, and the scores are not divided
def step(attention, x, cache=None):
    start = 0 if cache is None else cache[0].size(2)
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = attention.rotate(attention.split(attention.key(x)))
    v = attention.split(attention.value(x))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    S, T = q.shape[2], k.shape[2]
    mask = torch.ones(S, T, device=x.device).tril(T - S) == 0
    weights = (q @ k.mT).masked_fill(mask, float("-inf")).softmax(-1)
    return attention.proj(attention.join(weights @ v)), (k, v)


# %% new_before_old_unprojected [two] new places are put before the old ones, and proj is missing
def step(attention, x, cache=None):
    start = 0 if cache is None else cache[0].size(2)
    q = attention.rotate(attention.split(attention.query(x)), start)
    k = attention.rotate(attention.split(attention.key(x)), start)
    v = attention.split(attention.value(x))
    if cache is not None:
        k, v = torch.cat([k, cache[0]], 2), torch.cat([v, cache[1]], 2)
    S, T = q.shape[2], k.shape[2]
    mask = torch.ones(S, T, device=x.device).tril(T - S) == 0
    weights = (q @ k.mT / math.sqrt(attention.head_dim)).masked_fill(mask, float("-inf")).softmax(-1)
    return attention.join(weights @ v), (k, v)
