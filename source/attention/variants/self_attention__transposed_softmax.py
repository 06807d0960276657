class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        nn.Module.__init__(self)
        self.query = nn.Conv1d(in_dim, key_dim, kernel_size=(1,))
        self.key = nn.Conv1d(in_dim, key_dim, kernel_size=(1,))
        self.value = nn.Conv1d(in_dim, out_dim, kernel_size=(1,))

    def forward(self, x, return_attention=False):
        # B[n, j, i] = A[n, i, j]: who is looked at comes first here
        b = torch.softmax(self.key(x).transpose(1, 2) @ self.query(x), dim=1)
        y = self.value(x) @ b
        return [y, b.transpose(1, 2)] if return_attention else y
