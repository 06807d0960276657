def cut(W, G):
    W_s, W_h = [], []
    for row in W:
        W_s.append(row[:G])
        W_h.append(row[G:])
    return torch.stack(W_s), torch.stack(W_h)
