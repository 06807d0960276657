def split_heads(x, num_heads):
    batch, length, width = x.size()
    print(batch, length, width)
    x = x.view(batch, -1, num_heads, width // num_heads)
    return torch.transpose(x, 2, 1)
