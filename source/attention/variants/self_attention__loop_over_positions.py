class SelfAttentionLayer(nn.Module):
    # langsam, aber deutlich
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.query, self.key = (nn.Conv1d(in_dim, key_dim, 1) for _ in range(2))
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    def forward(self, x, return_attention=False):
        Q, K, V = self.query(x), self.key(x), self.value(x)
        rows, outputs = [], []
        for i in range(x.shape[2]):
            s = (Q[:, :, i : i + 1] * K).sum(1)  # (N, T)
            w = torch.softmax(s, dim=1)
            rows.append(w)
            outputs.append((V * w[:, None, :]).sum(2))
        y = torch.stack(outputs, dim=2)
        return (y, torch.stack(rows, dim=1)) if return_attention else y
