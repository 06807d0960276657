class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.query, self.key = (nn.Conv1d(in_dim, key_dim, 1) for _ in range(2))
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    def forward(self, x, return_attention=False):
        T = x.shape[-1]
        q = self.query(x)[..., list(range(T))].mT
        a = nn.functional.softmax(q @ self.key(x), -1)
        y = (a @ self.value(x).mT).mT
        if not return_attention:
            return y
        return y, a
