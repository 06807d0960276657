def rotate(x, start=0):
    d = x.size(-1)
    p = start + torch.arange(x.size(-2), device=x.device)
    w = 1.0 / 10000 ** (torch.arange(0, d, 2, device=x.device) / d)
    angle = (p[:, None] * w[None]).repeat_interleave(2, dim=-1)
    turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return x * angle.cos() + turned * angle.sin()
