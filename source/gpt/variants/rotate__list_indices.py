def rotate(x, start=0):
    S, d = x.shape[-2], x.shape[-1]
    even, odd = list(range(0, d, 2)), list(range(1, d, 2))
    p = torch.arange(start, start + S, dtype=x.dtype, device=x.device)
    w = torch.tensor([10000 ** (-2 * m / d) for m in range(d // 2)], device=x.device)
    c, s = torch.cos(torch.outer(p, w)), torch.sin(torch.outer(p, w))
    y = torch.zeros_like(x)
    y[..., even] = c * x[..., even] - s * x[..., odd]
    y[..., odd] = s * x[..., even] + c * x[..., odd]
    return y
