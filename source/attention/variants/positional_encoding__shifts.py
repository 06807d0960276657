def positional_encoding(length):
    n = int(length - 1).bit_length()
    t = torch.arange(length).unsqueeze(0)
    b = torch.arange(n).unsqueeze(1)
    return ((t >> b) & 1).to(torch.float32)
