def positional_encoding(length):
    """Bit b is a square wave of period 2^(b+1)."""
    rows = []
    b = 0
    while (1 << b) < length:
        wave = torch.cat([torch.zeros(2**b), torch.ones(2**b)])
        rows.append(wave.repeat(length // len(wave) + 1)[:length])
        b += 1
    return torch.vstack(rows)
