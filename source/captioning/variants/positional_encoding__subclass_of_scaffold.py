from utils.transformer_layers import PositionalEncoding as Scaffold


class PositionalEncoding(Scaffold):
    def __init__(self, embed_dim, dropout=0.1, max_len=5000):
        super().__init__(embed_dim, dropout, max_len)
        for column in range(embed_dim):
            even = column - column % 2
            function = torch.cos if column % 2 else torch.sin
            self.pe[0, :, column] = function(torch.arange(max_len) * 10000.0 ** -(even / embed_dim))

    def forward(self, x):
        return self.dropout(x + self.pe[:, : x.shape[1]])
