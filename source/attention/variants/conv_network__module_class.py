class ConvNet(nn.Module):
    def __init__(self, in_channels, channels):
        super().__init__()
        self.conv1 = nn.Conv1d(in_channels, channels, 5, padding=2)
        self.conv2 = nn.Conv1d(channels, channels, 5, padding=2)
        self.conv3 = nn.Conv1d(channels, channels, 5, padding=2)
        self.conv4 = nn.Conv1d(channels, 1, 5, padding=2)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = nn.functional.relu(self.conv2(x))
        x = self.conv3(x).clamp(min=0)
        return self.conv4(x)


def conv_network(in_channels=1, channels=64):
    return ConvNet(in_channels, channels)
