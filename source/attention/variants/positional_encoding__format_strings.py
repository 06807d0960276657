def positional_encoding(length):
    B = len(f"{length - 1:b}")
    return torch.tensor([[float(digit) for digit in f"{t:0{B}b}"] for t in range(length)]).T
