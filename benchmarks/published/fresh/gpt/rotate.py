# %% complex_numbers [right]
def rotate(x, start=0):
    N, H, S, d = x.shape
    omega = 10000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)
    angles = torch.outer(torch.arange(start, start + S, device=x.device).float(), omega)
    z = torch.complex(x[..., 0::2].contiguous(), x[..., 1::2].contiguous())
    z = z * torch.complex(angles.cos(), angles.sin())
    return torch.stack((z.real, z.imag), dim=-1).flatten(-2)


# %% half_turned_neighbours [right]
def rotate(x, start=0):
    S, d = x.shape[-2:]
    m = torch.arange(d, device=x.device) // 2
    p = start + torch.arange(S, device=x.device)
    angle = p[:, None] * 10000.0 ** (-2.0 * m / d)
    turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return x * torch.cos(angle) + turned * torch.sin(angle)


# %% pair_by_pair [right]
def rotate(x, start=0):
    d = x.shape[-1]
    y = torch.zeros_like(x)
    for s in range(x.shape[2]):
        p = start + s
        for m in range(d // 2):
            a = p * 10000 ** (-2 * m / d)
            c, n = math.cos(a), math.sin(a)
            y[:, :, s, 2 * m] = c * x[:, :, s, 2 * m] - n * x[:, :, s, 2 * m + 1]
            y[:, :, s, 2 * m + 1] = n * x[:, :, s, 2 * m] + c * x[:, :, s, 2 * m + 1]
    return y


# %% matrices [right]
def rotate(x, start=0):
    N, H, S, d = x.shape
    w = torch.exp(torch.arange(d // 2, device=x.device, dtype=x.dtype) * (-2 * math.log(10000) / d))
    a = torch.arange(start, start + S, device=x.device, dtype=x.dtype).unsqueeze(1) * w
    c, s = a.cos(), a.sin()
    R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)  # (S, d/2, 2, 2)
    pairs = x.view(N, H, S, d // 2, 2)
    return torch.einsum("smij,nhsmj->nhsmi", R, pairs).reshape(N, H, S, d)


# %% other_direction [one] the pairs turn the other way
def rotate(x, start=0):
    S, d = x.shape[2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)
    a = torch.arange(start, start + S, device=x.device)[:, None] * w
    even, odd = x[..., ::2], x[..., 1::2]
    y = torch.empty_like(x)
    y[..., ::2] = even * a.cos() + odd * a.sin()
    y[..., 1::2] = odd * a.cos() - even * a.sin()
    return y


# %% halves_like_llama [one] component m is paired with component m + d/2
def rotate(x, start=0):
    S, d = x.shape[2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)
    a = torch.arange(start, start + S, device=x.device)[:, None] * w
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * a.cos() - second * a.sin(), first * a.sin() + second * a.cos()], dim=-1)


# %% overwritten_first [one] the odd component is computed from the even one that was already turned
def rotate(x, start=0):
    S, d = x.shape[2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)
    a = torch.arange(start, start + S, device=x.device)[:, None] * w
    y = x.clone()
    y[..., ::2] = y[..., ::2] * a.cos() - y[..., 1::2] * a.sin()
    y[..., 1::2] = y[..., ::2] * a.sin() + y[..., 1::2] * a.cos()
    return y


# %% start_ignored_base_1000 [two] start is ignored, and the base is 1000
def rotate(x, start=0):
    S, d = x.shape[2:]
    w = 1000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)
    a = torch.arange(S, device=x.device)[:, None] * w
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * a.cos() - odd * a.sin(), even * a.sin() + odd * a.cos()], dim=-1).flatten(-2)


# %% in_place_and_from_one [two] x itself is changed, and the first position is start + 1
def rotate(x, start=0):
    S, d = x.shape[2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)
    a = torch.arange(start + 1, start + S + 1, device=x.device)[:, None] * w
    even, odd = x[..., ::2].clone(), x[..., 1::2].clone()
    x[..., ::2] = even * a.cos() - odd * a.sin()
    x[..., 1::2] = even * a.sin() + odd * a.cos()
    return x
