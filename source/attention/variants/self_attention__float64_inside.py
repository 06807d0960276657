class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim, verbose=True):
        super().__init__()
        if verbose:
            print(f"SelfAttentionLayer({in_dim}, {out_dim}, {key_dim})")
        self.query = nn.Conv1d(in_dim, key_dim, 1)
        self.key = nn.Conv1d(in_dim, key_dim, 1)
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    def forward(self, x, return_attention=False):
        q, k, v = self.query(x).double(), self.key(x).double(), self.value(x).double()
        a = torch.softmax(torch.baddbmm(torch.zeros(1, 1, 1, dtype=q.dtype, device=q.device), q.transpose(1, 2), k), dim=-1)
        y = (a @ v.transpose(1, 2)).transpose(1, 2).to(x.dtype)
        if return_attention is True:
            self.last = a.detach()
            return y, a.to(x.dtype)
        return y
