def read(table, q):
    return (q.unsqueeze(-1) * table.unsqueeze(1)).sum(dim=2)
