def sinusoids(length: int, width: int) -> torch.Tensor:
    """Table (length, width), in double precision first."""
    rates = torch.pow(torch.tensor(10000.0, dtype=torch.float64), -torch.arange(0, width, 2).double() / width)
    angles = torch.einsum("i,j->ij", torch.arange(length).double(), rates)
    return torch.stack((angles.sin(), angles.cos()), dim=2).flatten(1)


class PositionalEncoding(nn.Module):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        nn.Module.__init__(self)
        assert embed_dim % 2 == 0, "even widths only"
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", sinusoids(max_len, embed_dim).to(torch.get_default_dtype())[None])

    def forward(self, x):
        _, S, _ = x.shape
        positions = self.pe[:, torch.arange(S)]
        return self.dropout(positions + x)
