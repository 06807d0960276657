def rotate(x, start=0):
    N, H, S, d = x.shape
    a, b = x.reshape(N, H, S, d // 2, 2).unbind(-1)
    w = torch.exp(torch.arange(d // 2, device=x.device) * (-2 * math.log(10000.0) / d))
    t = torch.einsum("s,m->sm", torch.arange(start, start + S, device=x.device).float(), w)
    out = torch.empty_like(x)
    out[..., ::2], out[..., 1::2] = a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()
    return out
