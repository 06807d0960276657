def delta(table, k, v, strength=1.0):
    old = (k.unsqueeze(2) * table).sum(dim=1)
    target = (1 - strength) * old + strength * v
    return table + k.unsqueeze(2) * (target - old).unsqueeze(1)
