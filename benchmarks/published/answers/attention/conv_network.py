# %% padding_same [right]
def conv_network(in_channels=1, channels=64):
    sizes = [in_channels, channels, channels, channels, 1]
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Conv1d(a, b, 5, padding="same"), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


# %% relu_at_the_end [one]
def conv_network(in_channels=1, channels=64):
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, 1, 5, padding=2), nn.ReLU(),
    )


# %% tanh_between [one]
def conv_network(in_channels=1, channels=64):
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, 5, padding=2), nn.Tanh(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.Tanh(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.Tanh(),
        nn.Conv1d(channels, 1, 5, padding=2),
    )


# %% kernel_three_no_bias [two]
def conv_network(in_channels=1, channels=64):
    def conv(a, b):
        return nn.Conv1d(a, b, kernel_size=3, padding=1, bias=False)

    return nn.Sequential(conv(in_channels, channels), nn.ReLU(), conv(channels, channels), nn.ReLU(),
                         conv(channels, channels), nn.ReLU(), conv(channels, 1))


# %% reflecting_without_relus [two] edges reflected, no ReLU
def conv_network(in_channels=1, channels=64):
    def conv(a, b):
        return nn.Conv1d(a, b, 5, padding=2, padding_mode="reflect")

    return nn.Sequential(conv(in_channels, channels), conv(channels, channels), conv(channels, channels),
                         conv(channels, 1))
