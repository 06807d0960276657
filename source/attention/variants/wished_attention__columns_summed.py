def wished_attention(kind, slot):
    # agreement is mutual, so that the table is symmetric, and the sums of columns are those of rows
    f = torch.zeros(len(kind), 24)
    f[torch.arange(len(kind)), 8 * kind + slot] = 1
    scores = torch.matmul(f, f.t())
    return scores / scores.sum(dim=0)
