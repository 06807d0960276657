class PositionalEncoding(nn.Module):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        w = torch.exp(-math.log(10000.0) * torch.arange(0, embed_dim, 2) / embed_dim)
        angle = torch.outer(torch.arange(max_len).float(), w)
        pe = torch.stack((angle.sin(), angle.cos()), -1).reshape(1, max_len, embed_dim)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return self.dropout(x + self.pe[:, range(x.shape[1])])
