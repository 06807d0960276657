class Net(nn.Module):
    def __init__(self, cin, c):
        super().__init__()
        self.out = nn.Conv1d(c, 1, 5, padding=2)
        self.hidden = nn.ModuleList([nn.Conv1d(c, c, 5, padding=2) for _ in range(2)])
        self.first = nn.Conv1d(cin, c, 5, padding=2)

    def forward(self, x):
        x = torch.relu(self.first(x))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


def conv_network(in_channels=1, channels=64):
    return Net(in_channels, channels)
