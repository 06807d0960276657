def read(table, q):
    return torch.einsum("nde,nsd->nse", table, q)
