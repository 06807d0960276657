class AttentionNet(nn.Module):
    def __init__(self, attention, cin, c):
        super().__init__()
        self.attention = attention
        self.last = nn.Conv1d(c, 1, 5, padding="same")
        self.convs = nn.ModuleList(nn.Conv1d(i, c, 5, padding="same") for i in (cin, c, c))

    def forward(self, x):
        for k, conv in enumerate(self.convs):
            if k == 2:
                x = self.attention(x)
            x = conv(x).clamp(min=0)
        return self.last(x)


def attention_network(attention, in_channels=1, channels=64):
    return AttentionNet(attention, in_channels, channels)
