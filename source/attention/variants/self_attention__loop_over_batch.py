class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.key = nn.Conv1d(in_dim, key_dim, 1)
        self.query = nn.Conv1d(in_dim, key_dim, 1)
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    def one(self, x):
        q, k, v = self.query(x[None])[0], self.key(x[None])[0], self.value(x[None])[0]
        a = (q.t() @ k).softmax(dim=1)
        return v @ a.t(), a

    def forward(self, x, return_attention=False):
        pairs = [self.one(sequence) for sequence in x]
        ys, attention = (torch.stack(list(part)) for part in zip(*pairs))
        return (ys, attention) if return_attention else ys
