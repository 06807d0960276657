def attention_network(attention, in_channels=1, channels=64):
    modules = list(conv_network(in_channels, channels))
    modules.insert(4, attention)
    return nn.Sequential(*modules)
