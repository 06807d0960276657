class PositionalEncoding(nn.Module):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)

        # all sines: cos(a) = sin(a + pi/2)
        j = torch.arange(embed_dim)
        odd = j % 2
        pe = torch.sin(torch.arange(max_len).view(-1, 1) / 10000 ** ((j - odd) / embed_dim) + odd * torch.pi / 2)
        self.register_buffer("pe", pe[None], persistent=False)

    def forward(self, x):
        length = x.shape[-2]
        return nn.functional.dropout(x + self.pe.narrow(1, 0, length), self.dropout.p, self.training)
