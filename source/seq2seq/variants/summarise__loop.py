def summarise(states, mask):
    vectors = []
    for h, m in zip(states, mask):
        n = int(m.sum())
        half = h.shape[-1] // 2
        vectors.append(torch.cat([h[n - 1, :half], h[0, half:]]))
    return torch.stack(vectors)
