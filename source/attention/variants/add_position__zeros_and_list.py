def add_position(x, encoding):
    N, C, T = x.shape
    B = encoding.shape[0]
    out = torch.zeros(N, C + B, T, device=x.device)
    out[:, list(range(C))] = x
    out[:, range(C, C + B)] = encoding
    return out
