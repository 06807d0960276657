def numbers_kept(T, d, heads=1):
    keys, values = torch.empty(heads, T, d, device="meta"), torch.empty(heads, T, d, device="meta")
    table = torch.empty(heads, d, d, device="meta")
    return keys.numel() + values.numel(), table.numel()
