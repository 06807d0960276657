def split_heads(x, num_heads):
    return x.view(*x.shape[:2], num_heads, -1).permute(0, 2, 1, 3).contiguous()
