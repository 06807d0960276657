from collections import OrderedDict


def conv_network(in_channels=1, channels=64):
    conv = lambda a, b: nn.Conv1d(a, b, 5, stride=1, padding=(5 - 1) // 2)  # noqa: E731
    return nn.Sequential(
        OrderedDict(
            c1=conv(in_channels, channels), r1=nn.ReLU(inplace=True),
            c2=conv(channels, channels), r2=nn.ReLU(inplace=True),
            c3=conv(channels, channels), r3=nn.ReLU(inplace=True),
            c4=conv(channels, 1),
        )
    )
