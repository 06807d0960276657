# %% channel_by_channel [right]
def make_datasets(inputs, targets, n_train):
    def standardise(heights):
        channels = []
        for c in range(heights.shape[1]):
            known = heights[:n_train, c]
            channels.append((heights[:, c] - known.mean()) / known.std())
        return torch.stack(channels, dim=1)

    x, y = standardise(inputs), standardise(targets)
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% in_place_on_clones [right]
def make_datasets(inputs, targets, n_train):
    inputs, targets = inputs.clone(), targets.clone()
    for data in (inputs, targets):
        std, mean = torch.std_mean(data[:n_train], dim=(0, 2), keepdim=True)
        data.sub_(mean).div_(std)
    train = TensorDataset(inputs[:n_train], targets[:n_train])
    test = TensorDataset(inputs[n_train:], targets[n_train:])
    return train, test


# %% population_deviation_flattened [right]
def make_datasets(inputs, targets, n_train):
    sets = [[], []]
    for data in [inputs, targets]:
        flat = data[:n_train].transpose(0, 1).flatten(start_dim=1)  # (C, n * T)
        mu = flat.mean(dim=1)[None, :, None]
        sigma = ((flat**2).mean(dim=1)[None, :, None] - mu**2).sqrt()
        z = (data - mu) / sigma
        sets[0].append(z[:n_train])
        sets[1].append(z[n_train:])
    return tuple(TensorDataset(*s) for s in sets)


# %% split_then_lambda [right]
def make_datasets(inputs: torch.Tensor, targets: torch.Tensor, n_train: int) -> tuple[TensorDataset, TensorDataset]:
    sizes = [n_train, len(inputs) - n_train]
    (x_train, x_test), (y_train, y_test) = inputs.split(sizes), targets.split(sizes)
    mean = lambda t: t.mean(dim=(0, 2), keepdim=True)
    std = lambda t: t.var(dim=(0, 2), keepdim=True) ** 0.5
    scale = lambda t, by: (t - mean(by)) / std(by)
    return (
        TensorDataset(scale(x_train, x_train), scale(y_train, y_train)),
        TensorDataset(scale(x_test, x_train), scale(y_test, y_train)),
    )


# %% test_by_its_own_numbers [one] the test set is standardised by its own mean and deviation
def make_datasets(inputs, targets, n_train):
    def norm(x):
        return (x - x.mean(dim=(0, 2), keepdim=True)) / x.std(dim=(0, 2), keepdim=True)

    return (
        TensorDataset(norm(inputs[:n_train]), norm(targets[:n_train])),
        TensorDataset(norm(inputs[n_train:]), norm(targets[n_train:])),
    )


# %% every_position_apart [one] means and deviations are taken for each position apart, over sequences only
def make_datasets(inputs, targets, n_train):
    mx, sx = inputs[:n_train].mean(dim=0), inputs[:n_train].std(dim=0)
    my, sy = targets[:n_train].mean(dim=0), targets[:n_train].std(dim=0)
    x = (inputs - mx) / sx
    y = (targets - my) / sy
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% targets_by_the_inputs [one] the targets are standardised with the numbers of the inputs
def make_datasets(inputs, targets, n_train):
    train = inputs[:n_train]
    mean, std = train.mean((0, 2), keepdim=True), train.std((0, 2), keepdim=True)
    x, y = (inputs - mean) / std, (targets - mean[:, :1]) / std[:, :1]
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% in_place_on_the_arguments [one] inputs and targets themselves are changed
def make_datasets(inputs, targets, n_train):
    for data in (inputs, targets):
        mean = data[:n_train].mean(dim=(0, 2), keepdim=True)
        std = data[:n_train].std(dim=(0, 2), keepdim=True)
        data -= mean
        data /= std
    return TensorDataset(inputs[:n_train], targets[:n_train]), TensorDataset(inputs[n_train:], targets[n_train:])


# %% all_channels_and_the_whole_set [two] statistics of all sequences, test ones too; one number for all channels
def make_datasets(inputs, targets, n_train):
    x = (inputs - inputs.mean()) / inputs.std()
    y = (targets - targets.mean()) / targets.std()
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


# %% raw_targets_shuffled [two] the targets are not standardised, and the sequences are shuffled
def make_datasets(inputs, targets, n_train):
    order = torch.randperm(len(inputs))
    known = inputs[:n_train]
    x = (inputs - known.mean((0, 2), keepdim=True)) / known.std((0, 2), keepdim=True)
    x, y = x[order], targets[order]
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])
