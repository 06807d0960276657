def rotate(x, start=0):
    S, d = x.shape[-2:]
    speed = 1.0 / (10000 ** (torch.arange(0, d, 2, device=x.device).float() / d))
    angle = torch.outer(torch.arange(start, start + S, device=x.device).float(), speed)
    hands = torch.polar(torch.ones_like(angle), angle)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * hands).flatten(-2).type_as(x)
