def write(table, k, v):
    return table + k.unsqueeze(2) * v.unsqueeze(1)


def read(table, q):
    return q @ table


def delta(table, k, v, strength=1.0):
    believed = read(table, k.unsqueeze(1)).squeeze(1)
    return write(table, k, strength * (v - believed))
