def split_heads(x, num_heads):
    N, S, E = x.shape
    width = E // num_heads
    out = torch.empty(N, num_heads, S, width, dtype=x.dtype, device=x.device)
    for head in range(num_heads):
        for place in range(S):
            out[:, head, place] = x[:, place, head * width : (head + 1) * width]
    return out
