def rotate(x, start=0):
    S, d = x.shape[2], x.shape[3]
    p = torch.arange(S, device=x.device) + start
    w = torch.exp(-math.log(10000) * torch.arange(0, d, 2, device=x.device) / d)
    c, s = torch.cos(p[:, None] * w[None]), torch.sin(p[:, None] * w[None])
    y = torch.empty_like(x)
    y[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    y[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return y
