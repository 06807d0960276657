# %% std_mean [right]
def make_datasets(inputs, targets, n_train):
    def standardised(x):
        std, mean = torch.std_mean(x[:n_train], dim=(0, 2), keepdim=True)
        return (x - mean) / std

    x, y = standardised(inputs), standardised(targets)
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% channel_by_channel [right]
def make_datasets(inputs, targets, n_train):
    inputs, targets = inputs.clone(), targets.clone()
    for data in (inputs, targets):
        for c in range(data.shape[1]):
            known = data[:n_train, c].flatten()
            mu, sigma = known.mean(), known.std()
            data[:, c] = (data[:, c] - mu) / sigma
    return TensorDataset(inputs[:n_train], targets[:n_train]), TensorDataset(inputs[n_train:], targets[n_train:])


# %% peeks_at_the_test [one] mean and deviation of all sequences
def make_datasets(inputs, targets, n_train):
    x = (inputs - inputs.mean(dim=(0, 2), keepdim=True)) / inputs.std(dim=(0, 2), keepdim=True)
    y = (targets - targets.mean(dim=(0, 2), keepdim=True)) / targets.std(dim=(0, 2), keepdim=True)
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% one_number_for_all_channels [one] one mean and one deviation of everything
def make_datasets(inputs, targets, n_train):
    a, b = inputs[:n_train], targets[:n_train]
    x = (inputs - a.mean()) / a.std()
    y = (targets - b.mean()) / b.std()
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% divided_by_variance [one]
def make_datasets(inputs, targets, n_train):
    def standardised(x):
        known = x[:n_train]
        return (x - known.mean((0, 2), keepdim=True)) / known.var((0, 2), keepdim=True)

    x, y = standardised(inputs), standardised(targets)
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% zero_to_one [one] minimum and maximum in place of mean and deviation
def make_datasets(inputs, targets, n_train):
    def scaled(x):
        low = x[:n_train].amin((0, 2), keepdim=True)
        high = x[:n_train].amax((0, 2), keepdim=True)
        return (x - low) / (high - low)

    x, y = scaled(inputs), scaled(targets)
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% raw_targets_peeking [two] targets as they were, inputs standardised by everything
def make_datasets(inputs, targets, n_train):
    x = (inputs - inputs.mean(dim=(0, 2), keepdim=True)) / inputs.std(dim=(0, 2), keepdim=True)
    return TensorDataset(x[:n_train], targets[:n_train]), TensorDataset(x[n_train:], targets[n_train:])


# %% only_centred_swapped [two] not divided, test set first
def make_datasets(inputs, targets, n_train):
    x = inputs - inputs[:n_train].mean(dim=(0, 2), keepdim=True)
    y = targets - targets[:n_train].mean(dim=(0, 2), keepdim=True)
    return TensorDataset(x[n_train:], y[n_train:]), TensorDataset(x[:n_train], y[:n_train])
