def positional_encoding(length):
    bits = (length - 1).bit_length()
    return torch.tensor([[float(c) for c in format(t, f"0{bits}b")] for t in range(length)]).T
