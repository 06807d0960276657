class PositionalEncoding(nn.Module):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        i = torch.arange(max_len)[:, None]
        j = torch.arange(embed_dim)[None]
        odd = j % 2 == 1
        angle = i / 10000 ** ((j - j % 2) / embed_dim)
        self.register_buffer("pe", torch.where(odd, torch.cos(angle), torch.sin(angle)).unsqueeze(0))

    def forward(self, x):
        out = x.clone()
        out += self.pe[0, : x.size(1)]
        return self.dropout(out)
