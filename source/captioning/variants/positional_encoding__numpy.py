class PositionalEncoding(nn.Module):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)

        angle = np.arange(max_len)[:, None] / np.power(10000, np.arange(0, embed_dim, 2)[None] / embed_dim)
        table = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(1, max_len, embed_dim)
        self.register_buffer("pe", torch.tensor(table, dtype=torch.get_default_dtype()))

    def forward(self, x):
        print("positions for", tuple(x.shape))
        return self.dropout(torch.add(x, self.pe[0, : x.shape[1]]))
