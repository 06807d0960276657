def concat_score(query, states, W, v):
    G = query.shape[1]
    a = torch.einsum("rg,ng->nr", W[:, :G], query)[:, None]
    b = torch.einsum("rd,ntd->ntr", W[:, G:], states)
    return torch.einsum("ntr,r->nt", torch.tanh(a + b), v)
