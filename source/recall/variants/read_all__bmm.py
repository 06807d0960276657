def read_all(q, k, v):
    return torch.bmm(torch.bmm(q, k.permute(0, 2, 1)), v)
