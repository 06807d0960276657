def cut(W, G):
    K = W.size(1)
    return W.narrow(1, 0, G).contiguous(), W.narrow(1, G, K - G).clone()
