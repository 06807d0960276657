import sys


def conv_network(in_channels=1, channels=64):
    sizes = [in_channels, channels, channels, channels, 1]
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Conv1d(a, b, kernel_size=5, padding="same"), nn.ReLU()]
    print("layers:", len(layers) - 1, file=sys.stderr)
    return nn.Sequential(*layers[:-1])
