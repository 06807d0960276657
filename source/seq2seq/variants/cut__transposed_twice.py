def cut(W, G):
    columns = W.T
    return columns[:G].T, columns[G:].T
