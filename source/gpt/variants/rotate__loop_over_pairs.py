def rotate(x, start=0):
    S, d = x.shape[-2], x.shape[-1]
    places = torch.arange(start, start + S, device=x.device, dtype=x.dtype)
    columns = []
    for m in range(d // 2):
        a = places * 10000 ** (-2 * m / d)
        columns.append(x[..., 2 * m] * a.cos() - x[..., 2 * m + 1] * a.sin())
        columns.append(x[..., 2 * m] * a.sin() + x[..., 2 * m + 1] * a.cos())
    return torch.stack(columns, dim=-1)
