def conv_network(in_channels=1, channels=64):
    layers = []
    for width in [channels, channels, channels, 1]:
        layers += [nn.LazyConv1d(width, 5, padding=2), nn.ReLU()]
    return nn.Sequential(*layers[:-1])
