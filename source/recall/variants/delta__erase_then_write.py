def delta(table, k, v, strength=1.0):
    projector = k.unsqueeze(2) @ k.unsqueeze(1)
    erased = table - strength * projector @ table
    return erased + strength * k.unsqueeze(2) @ v.unsqueeze(1)
