def step(attention, x, cache=None):
    keys, values = ([], []) if cache is None else (list(cache[0]), list(cache[1]))
    out = []
    for s in range(x.shape[1]):
        one = x[:, [s]]
        p = len(keys)
        keys.append(attention.rotate(attention.split(attention.key(one)), p))
        values.append(attention.split(attention.value(one)))
        q = attention.rotate(attention.split(attention.query(one)), p)
        K, V = torch.cat(keys, 2), torch.cat(values, 2)
        a = torch.softmax(q @ K.transpose(2, 3) / math.sqrt(attention.head_dim), -1)
        out.append(attention.proj(attention.join(a @ V)))
    return torch.cat(out, 1), (keys, values)
