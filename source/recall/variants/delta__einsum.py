def delta(table, k, v, strength=1.0):
    error = v - torch.einsum("nd,nde->ne", k, table)
    return table + strength * torch.einsum("nd,ne->nde", k, error)
