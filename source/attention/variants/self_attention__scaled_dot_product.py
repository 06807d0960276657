class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim, out_dim, key_dim):
        super().__init__()
        self.query = nn.Conv1d(in_dim, key_dim, 1)
        self.key = nn.Conv1d(in_dim, key_dim, 1)
        self.value = nn.Conv1d(in_dim, out_dim, 1)

    def forward(self, x, return_attention=False):
        q, k, v = (f(x).transpose(1, 2) for f in (self.query, self.key, self.value))
        # the fused function divides by the root of key_dim, which we undo
        fused = nn.functional.scaled_dot_product_attention(q * q.shape[-1] ** 0.5, k, v)
        attention = (q @ k.transpose(1, 2)).softmax(2)
        return (fused.transpose(1, 2), attention) if return_attention else fused.transpose(1, 2)
