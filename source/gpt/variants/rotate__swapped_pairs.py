def swap(x):
    return torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).reshape(x.shape)


def rotate(x, start=0):
    d = x.size(-1)
    m = torch.arange(d // 2, device=x.device)
    angle = torch.arange(start, start + x.size(-2), device=x.device)[:, None] * 10000.0 ** (-2 * m / d)
    angle = angle.repeat_interleave(2, dim=-1)
    return x * angle.cos() + swap(x) * angle.sin()
