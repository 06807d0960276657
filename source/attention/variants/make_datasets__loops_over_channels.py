def make_datasets(inputs, targets, n_train):
    # une normalisation canal par canal, sur les séquences d'entraînement seulement
    def norm(t):
        out = torch.empty_like(t)
        for c in range(t.shape[1]):
            train_part = t[:n_train, c]
            out[:, c] = (t[:, c] - train_part.mean()) / train_part.std()
        return out

    x = norm(inputs)
    y = norm(targets)
    print("training on", n_train, "sequences")
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])
