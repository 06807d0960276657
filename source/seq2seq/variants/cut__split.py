def cut(W, G):
    return W.split([G, W.shape[1] - G], dim=1)
