def add_position(x, encoding):
    encoding = encoding.to(x.device)
    return torch.cat((x, torch.tile(encoding, (len(x), 1, 1))), -2)
