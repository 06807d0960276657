class PositionalEncoding(nn.Module):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)

        pe = torch.zeros(1, max_len, embed_dim)
        for i in range(max_len):
            for j in range(0, embed_dim, 2):
                pe[0, i, j] = math.sin(i * 10000 ** (-j / embed_dim))
                pe[0, i, j + 1] = math.cos(i * 10000 ** (-j / embed_dim))
        self.register_buffer("pe", pe)

    def forward(self, x):
        N, S, E = x.shape
        output = torch.empty((N, S, E), dtype=x.dtype)
        output = x + self.pe[:, :S, :]
        output = self.dropout(output)
        return output
