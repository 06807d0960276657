# %% one_shared_relu [right]
def conv_network(in_channels=1, channels=64):
    relu = nn.ReLU()
    conv = lambda i, o: nn.Conv1d(i, o, 5, padding=2)
    return nn.Sequential(
        conv(in_channels, channels), relu, conv(channels, channels), relu, conv(channels, channels), relu,
        conv(channels, 1),
    )


# %% zip_of_widths [right]
def conv_network(in_channels=1, channels=64):
    widths = [in_channels] + 3 * [channels] + [1]
    net = nn.Sequential()
    for n, (i, o) in enumerate(zip(widths, widths[1:])):
        if n > 0:
            net.append(nn.ReLU(inplace=True))
        net.append(nn.Conv1d(in_channels=i, out_channels=o, kernel_size=(5,), stride=1, padding="same", bias=True))
    return net


# %% own_module [right]
def conv_network(in_channels=1, channels=64):
    class ConvNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv1d(in_channels, channels, kernel_size=5, padding=2)
            self.conv2 = nn.Conv1d(channels, channels, kernel_size=5, padding=2)
            self.conv3 = nn.Conv1d(channels, channels, kernel_size=5, padding=2)
            self.conv4 = nn.Conv1d(channels, 1, kernel_size=5, padding=2)
            self.relu = nn.ReLU()

        def forward(self, x):
            for conv in (self.conv1, self.conv2, self.conv3):
                x = self.relu(conv(x))
            return self.conv4(x)

    return ConvNet()


# %% only_three [one] three convolutions instead of four
def conv_network(in_channels=1, channels=64):
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, 1, 5, padding=2),
    )


# %% reflected_at_the_ends [one] reflect padding instead of zeros
def conv_network(in_channels=1, channels=64):
    layers = []
    for i, o in ((in_channels, channels), (channels, channels), (channels, channels), (channels, 1)):
        layers += [nn.Conv1d(i, o, 5, padding=2, padding_mode="reflect"), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


# %% wrong_padding_by_one [one] padding 1 with kernel 5: the output is shorter
def conv_network(in_channels=1, channels=64):
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, kernel_size=5, padding=1), nn.ReLU(),
        nn.Conv1d(channels, channels, kernel_size=5, padding=1), nn.ReLU(),
        nn.Conv1d(channels, channels, kernel_size=5, padding=1), nn.ReLU(),
        nn.Conv1d(channels, 1, kernel_size=5, padding=1),
    )


# %% kernel_three_and_no_bias [two] kernel 3, and convolutions without a bias
def conv_network(in_channels=1, channels=64):
    c = channels
    return nn.Sequential(
        nn.Conv1d(in_channels, c, 3, padding=1, bias=False), nn.ReLU(),
        nn.Conv1d(c, c, 3, padding=1, bias=False), nn.ReLU(),
        nn.Conv1d(c, c, 3, padding=1, bias=False), nn.ReLU(),
        nn.Conv1d(c, 1, 3, padding=1, bias=False),
    )


# %% sigmoid_and_last_wide [two] Sigmoid instead of ReLU, and as many channels out as in between
def conv_network(in_channels=1, channels=64):
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, 5, padding=2), nn.Sigmoid(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.Sigmoid(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.Sigmoid(),
        nn.Conv1d(channels, channels, 5, padding=2),
    )
