def read(table, q):
    return torch.bmm(q, table)
