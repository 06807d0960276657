# %% list_unpacked [right]
def attention_network(attention, in_channels=1, channels=64):
    first, relu, second, relu2, third, relu3, last = conv_network(in_channels, channels)
    return nn.Sequential(first, relu, second, relu2, attention, third, relu3, last)


# %% attention_before_the_relu [one]
def attention_network(attention, in_channels=1, channels=64):
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, channels, 5, padding=2), attention, nn.ReLU(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, 1, 5, padding=2),
    )


# %% relu_after_attention_and_end [two]
def attention_network(attention, in_channels=1, channels=64):
    return nn.Sequential(
        nn.Conv1d(in_channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(), attention, nn.ReLU(),
        nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(),
        nn.Conv1d(channels, 1, 5, padding=2), nn.ReLU(),
    )
