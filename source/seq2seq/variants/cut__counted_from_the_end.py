def cut(W, G):
    D = W.shape[1] - G
    return W[:, :-D], W[:, -D:]
