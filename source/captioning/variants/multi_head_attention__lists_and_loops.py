class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__()
        self.key = nn.Linear(embed_dim, embed_dim)
        self.query = nn.Linear(embed_dim, embed_dim)
        self.value = nn.Linear(embed_dim, embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.attn_drop = nn.Dropout(dropout)
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads

    def forward(self, query, key, value, attn_mask=None):
        q, k, v = self.query(query), self.key(key), self.value(value)
        d, out = self.head_dim, torch.zeros_like(q)
        for h in range(self.num_heads):
            cols = list(range(h * d, (h + 1) * d))
            e = q[..., cols] @ k[..., cols].mT / math.sqrt(d)
            if attn_mask is not None:
                e[:, attn_mask == 0] = float("-inf")
            out[..., cols] = self.attn_drop(e.softmax(-1)) @ v[..., cols]
        return self.proj(out)
