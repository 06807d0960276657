def add_position(x, encoding):
    return torch.stack([torch.vstack((row, encoding.to(row))) for row in x])
