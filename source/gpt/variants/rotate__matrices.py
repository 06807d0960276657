def rotate(x, start=0):
    *front, S, d = x.shape
    angle = torch.arange(start, start + S, device=x.device).unsqueeze(1) * 10000.0 ** (-torch.arange(0, d, 2, device=x.device) / d)
    turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], -1).view(S, d // 2, 2, 2).to(x.dtype)
    return torch.einsum("smij,nhsmj->nhsmi", turn, x.reshape(*front, S, d // 2, 2)).reshape(x.shape)
