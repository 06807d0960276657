def positional_encoding(length):
    B = (length - 1).bit_length()
    t = torch.arange(length)
    return torch.stack([((t >> b) & 1).to(torch.float32) for b in range(B)])
