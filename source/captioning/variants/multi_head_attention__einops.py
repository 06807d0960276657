from einops import rearrange


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__()
        self.key = nn.Linear(embed_dim, embed_dim)
        self.query = nn.Linear(embed_dim, embed_dim)
        self.value = nn.Linear(embed_dim, embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.attn_drop = nn.Dropout(dropout)
        self.n_head = num_heads

    def forward(self, query, key, value, attn_mask=None):
        q = rearrange(self.query(query), "n s (h d) -> n h s d", h=self.n_head)
        k = rearrange(self.key(key), "n t (h d) -> n h d t", h=self.n_head)
        v = rearrange(self.value(value), "n t (h d) -> n h t d", h=self.n_head)
        a = q @ k / np.sqrt(q.shape[-1])
        if attn_mask is not None:
            a = torch.where(attn_mask.bool(), a, torch.tensor(-torch.inf, dtype=a.dtype))
        return self.proj(rearrange(self.attn_drop(a.softmax(-1)) @ v, "n h s d -> n s (h d)"))
