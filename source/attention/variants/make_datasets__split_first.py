def make_datasets(inputs, targets, n_train):
    train_x, test_x = inputs[:n_train], inputs[n_train:]
    train_y, test_y = targets[:n_train], targets[n_train:]
    mx, sx = train_x.mean((0, 2), keepdim=True), train_x.std((0, 2), keepdim=True)
    my, sy = train_y.mean(), train_y.std()  # one channel, so these are enough
    train_set = TensorDataset((train_x - mx) / sx, (train_y - my) / sy)
    test_set = TensorDataset((test_x - mx) / sx, (test_y - my) / sy)
    return [train_set, test_set]
