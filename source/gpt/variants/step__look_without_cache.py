def step(attention, x, cache=None):
    start = cache["k"].size(2) if cache else 0
    new = {"k": attention.rotate(attention.split(attention.key(x)), start), "v": attention.split(attention.value(x))}
    if cache is None:
        weights = attention.look(x)
    else:
        new = {name: torch.cat((cache[name], part), dim=-2) for name, part in new.items()}
        q = attention.rotate(attention.split(attention.query(x)) * attention.head_dim**-0.5, start)
        places = torch.arange(new["k"].size(2), device=x.device)
        scores = torch.einsum("nhsd,nhtd->nhst", q, new["k"])
        weights = torch.where(places[None] <= places[start:, None], scores, -1e30).softmax(-1)
    return attention.proj(attention.join(weights @ new["v"])), new
