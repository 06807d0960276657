class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.query = nn.Conv1d(in_dim, key_dim, 1)
        self.key = nn.Conv1d(in_dim, key_dim, 1)
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    def forward(self, x, return_attention=False):
        a = torch.einsum("nks,nkt->nst", self.query(x), self.key(x)).softmax(-1)
        y = torch.einsum("nst,net->nes", a, self.value(x))
        if return_attention:
            return y, a
        return y
