def positional_encoding(length):
    bits = 0
    while 2**bits < length:
        bits += 1
    table = torch.zeros(bits, length)
    for t in range(length):
        rest = t
        for b in range(bits):
            table[b, t] = rest % 2
            rest //= 2
    return table
