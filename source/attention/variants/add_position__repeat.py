def add_position(x, encoding):
    N = x.size(0)
    return torch.cat((x, encoding.unsqueeze(0).repeat(N, 1, 1)), 1)
