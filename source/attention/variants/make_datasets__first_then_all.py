def make_datasets(inputs, targets, n_train):
    out = []
    for x in (inputs.clone(), targets.clone()):
        m = x[:n_train].mean((0, 2))
        s = x[:n_train].std((0, 2))
        for c in range(x.shape[1]):
            x[:, c] -= m[c]
            x[:, c] /= s[c]
        out.append(x)
    x, y = out
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])
