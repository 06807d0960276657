def read_all(q, k, v):
    return torch.einsum("nsd,ntd,nte->nse", q, k, v)
