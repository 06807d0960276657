def concat_score(query, states, W, v):
    H = query.shape[1]
    B, U = W[:, :H], W[:, H:]
    hidden = torch.tanh((query @ B.T)[:, None, :] + states @ U.T)
    return torch.einsum("nta,a->nt", hidden, v)
