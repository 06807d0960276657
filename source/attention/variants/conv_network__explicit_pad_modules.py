def conv_network(in_channels=1, channels=64):
    pad, relu = nn.ConstantPad1d(2, 0.0), nn.ReLU()
    return nn.Sequential(
        pad, nn.Conv1d(in_channels, channels, 5), relu,
        pad, nn.Conv1d(channels, channels, 5), relu,
        pad, nn.Conv1d(channels, channels, 5), relu,
        pad, nn.Conv1d(channels, 1, 5),
    )
