def add_position(x, encoding):
    return torch.stack([torch.vstack([sequence, encoding]) for sequence in x])
