class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.query = nn.Conv1d(in_dim, key_dim, 1)
        self.key = nn.Conv1d(in_dim, key_dim, 1)
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    def forward(self, x, return_attention=False):
        scores = torch.bmm(self.query(x).transpose(1, 2), self.key(x))
        a = (scores - scores.logsumexp(2, keepdim=True)).exp()
        y = torch.bmm(self.value(x), a.transpose(1, 2))
        return [y, a] if return_attention else y
