def attention_network(attention, in_channels=1, channels=64):
    look = nn.Sequential(
        nn.Conv1d(in_channels, channels, 5, padding=2), nn.ReLU(), nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU()
    )
    draw = nn.Sequential(nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(), nn.Conv1d(channels, 1, 5, padding=2))
    return nn.Sequential(look, attention, draw)
