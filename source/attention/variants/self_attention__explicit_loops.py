class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
        self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
        self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

    def forward(self, x, return_attention=False):
        q, k, v = self.query(x), self.key(x), self.value(x)
        rows = []
        for s in range(x.shape[2]):
            e = (q[:, :, s : s + 1] * k).sum(1)
            rows.append(torch.softmax(e, dim=1))
        A = torch.stack(rows, 1)
        y = (A.unsqueeze(1) * v.unsqueeze(2)).sum(-1)
        return (y, A) if return_attention else y
