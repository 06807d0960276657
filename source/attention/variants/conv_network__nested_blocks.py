def block(a, b):
    """一个卷积加一个 ReLU"""
    return nn.Sequential(nn.Conv1d(a, b, 5, padding=2), nn.ReLU())


def conv_network(in_channels=1, channels=64):
    body = [block(in_channels, channels)] + [block(channels, channels) for _ in range(2)]
    return nn.Sequential(*body, nn.Conv1d(channels, 1, 5, padding=2))
