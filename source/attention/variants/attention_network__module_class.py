class AttentionNetwork(nn.Module):
    def __init__(self, attention, in_channels, channels):
        super().__init__()
        self.before = nn.ModuleList(nn.Conv1d(c, channels, 5, padding=2) for c in (in_channels, channels))
        self.attention = attention
        self.after = nn.Conv1d(channels, channels, 5, padding=2)
        self.last = nn.Conv1d(channels, 1, 5, padding=2)

    def forward(self, x):
        for conv in self.before:
            x = conv(x).relu()
        return self.last(self.after(self.attention(x)).relu())


def attention_network(attention, in_channels=1, channels=64):
    return AttentionNetwork(attention, in_channels, channels)
