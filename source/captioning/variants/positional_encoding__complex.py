class PositionalEncoding(nn.Module):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)

        frequencies = torch.logspace(0, -4 * (embed_dim - 2) / embed_dim, embed_dim // 2)
        turns = torch.polar(torch.ones(max_len, embed_dim // 2), torch.outer(torch.arange(max_len).float(), frequencies))
        flat = torch.view_as_real(turns).flatten(1)  # cos, sin, cos, sin
        self.register_buffer("pe", flat.view(max_len, -1, 2).flip(-1).reshape(1, max_len, embed_dim))

    def forward(self, x):
        out = x.clone()
        out += self.pe[:, : x.shape[1]].expand(len(x), -1, -1)
        return self.dropout(out)
