class Projection(nn.Conv1d):
    """A linear map of the channels."""

    def __init__(self, n_in, n_out):
        super().__init__(n_in, n_out, kernel_size=1)
        nn.init.xavier_uniform_(self.weight)
        nn.init.zeros_(self.bias)


class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.query = Projection(in_dim, key_dim)
        self.key = Projection(in_dim, key_dim)
        self.value = Projection(in_dim, out_dim)
        self.softmax = nn.Softmax(dim=-1)

    def attend(self, x):
        return self.softmax(self.query(x).mT @ self.key(x))

    def forward(self, x, return_attention=False):
        A = self.attend(x)
        Y = (A[:, None] * self.value(x)[:, :, None]).sum(-1)
        return (Y, A) if return_attention else Y


# test
_ = SelfAttentionLayer(3, 4, 5)(torch.randn(2, 3, 6))
