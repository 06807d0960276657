class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.key_dim = key_dim
        self.query = nn.Conv1d(in_dim, key_dim, 1)
        self.key = nn.Conv1d(in_dim, key_dim, 1)
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    @staticmethod
    def weights(scores):
        e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        return e / e.sum(dim=-1, keepdim=True)

    def forward(self, x, return_attention=False):
        assert x.dim() == 3, x.shape
        scores = torch.matmul(self.query(x).transpose(-1, -2), self.key(x))
        attention = self.weights(scores)
        y = torch.matmul(attention, self.value(x).transpose(-1, -2)).transpose(-1, -2)
        if not return_attention:
            return y
        return y, attention.detach()  # only for looking at
