def cut(W, G):
    of_query = torch.arange(W.shape[1], device=W.device) < G
    return W[:, of_query], W[:, ~of_query]
