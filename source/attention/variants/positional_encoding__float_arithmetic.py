def positional_encoding(length):
    bits = math.ceil(math.log(length, 2) - 1e-9)
    t = torch.arange(length, dtype=torch.float64)
    return torch.stack([torch.floor(t / 2**b).remainder(2) for b in range(bits)]).float()
