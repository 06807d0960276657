# %% complex_numbers [right]
def rotate(x, start=0):
    S, d = x.shape[-2:]
    p = torch.arange(start, start + S, device=x.device, dtype=x.dtype)
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d)
    turn = torch.polar(torch.ones_like(w).expand(S, -1), p[:, None] * w)
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(z * turn).flatten(-2)


# %% start_ignored [one]
def rotate(x, start=0):
    S, d = x.shape[-2:]
    p = torch.arange(S, device=x.device, dtype=x.dtype)
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d)
    a = p[:, None] * w
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * a.cos() - odd * a.sin(), even * a.sin() + odd * a.cos()], -1).flatten(-2)


# %% halves_other_direction [two] m with m + d/2, turned the other way
def rotate(x, start=0):
    S, d = x.shape[-2:]
    p = torch.arange(start, start + S, device=x.device, dtype=x.dtype)
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d)
    a = p[:, None] * w
    one, two = x.chunk(2, dim=-1)
    return torch.cat([one * a.cos() + two * a.sin(), two * a.cos() - one * a.sin()], -1)
