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
        H = self.num_heads
        q, k, v = (x.unflatten(-1, (H, -1)) for x in (self.query(query), self.key(key), self.value(value)))
        scores = torch.einsum("nshd,nthd->nhst", q, k) * self.head_dim**-0.5
        if attn_mask is not None:
            scores = scores.masked_fill(~attn_mask.bool(), float("-inf"))
        weights = self.attn_drop(torch.softmax(scores, dim=-1))
        return self.proj(torch.einsum("nhst,nthd->nshd", weights, v).flatten(2))
