def cut(W, G):
    first = [W[:, j] for j in range(G)]
    rest = [W[:, j] for j in range(G, W.shape[1])]
    return torch.stack(first, dim=1), torch.stack(rest, dim=1)
