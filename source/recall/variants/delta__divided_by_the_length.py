def delta(table, k, v, strength=1.0):
    believed = k.unsqueeze(1) @ table
    step = strength / k.pow(2).sum(dim=1).view(-1, 1, 1)
    return table + step * k.unsqueeze(2) @ (v.unsqueeze(1) - believed)
