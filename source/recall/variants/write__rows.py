def write(table, k, v):
    rows = [table[:, i] + k[:, i : i + 1] * v for i in range(k.shape[1])]
    return torch.stack(rows, dim=1)
