def make_datasets(inputs, targets, n_train):
    n = [n_train, len(inputs) - n_train]
    parts = []
    for data in [inputs, targets]:
        train, test = data.split(n)
        var, mean = torch.var_mean(train, dim=[0, 2], keepdim=True)
        parts += [((train - mean) / var.sqrt(), (test - mean) / var.sqrt())]
    (xtr, xte), (ytr, yte) = parts
    return TensorDataset(xtr, ytr), TensorDataset(xte, yte)
