from collections import OrderedDict


def conv_network(in_channels=1, channels=64):
    widths = [in_channels] + 3 * [channels] + [1]
    layers = OrderedDict()
    for k in range(4):
        layers[f"conv{k}"] = nn.Conv1d(widths[k], widths[k + 1], (5,), padding=(2,))
        if k < 3:
            layers[f"relu{k}"] = nn.ReLU()
    return nn.Sequential(layers)
