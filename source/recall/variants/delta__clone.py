def delta(table, k, v, strength=1.0):
    new = table.clone()
    new = new + strength * torch.bmm(k[:, :, None], v[:, None] - torch.bmm(k[:, None], table))
    return new
