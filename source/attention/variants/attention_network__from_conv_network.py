def attention_network(attention, in_channels=1, channels=64):
    layers = list(conv_network(in_channels, channels))
    return nn.Sequential(*layers[:4], attention, *layers[4:])
