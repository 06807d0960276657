def make_datasets(inputs, targets, n_train):
    sx, mx = torch.std_mean(inputs[:n_train], dim=[0, 2])
    sy, my = torch.std_mean(targets[:n_train], dim=[0, 2])
    x = (inputs - mx[None, :, None]) / (sx[None, :, None] + 1e-6)
    y = (targets - my[None, :, None]) / (sy[None, :, None] + 1e-6)
    (x1, x2), (y1, y2) = x.split([n_train, len(x) - n_train]), y.split([n_train, len(y) - n_train])
    return TensorDataset(x1, y1), TensorDataset(x2, y2)
