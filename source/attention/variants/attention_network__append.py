def attention_network(attention, in_channels=1, channels=64):
    net = nn.Sequential()
    for number, (a, b) in enumerate([(in_channels, channels), (channels, channels), (channels, channels), (channels, 1)]):
        if number == 2:
            net.add_module("attention", attention)
        net.add_module(f"conv{number}", nn.Conv1d(a, b, kernel_size=5, padding=2))
        if number < 3:
            net.add_module(f"relu{number}", nn.ReLU())
    return net
