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
        H, d = self.num_heads, self.head_dim
        q = self.query(query).unflatten(-1, (H, d)) * d**-0.5
        k = self.key(key).unflatten(-1, (H, d))
        v = self.value(value).unflatten(-1, (H, d))
        e = torch.einsum("nshd,nthd->nhst", q, k)
        if attn_mask is not None:
            hidden = ~attn_mask.bool()
            e = e.masked_fill(hidden[None, None], torch.finfo(e.dtype).min)
        a = self.attn_drop(e.softmax(dim=-1))
        return self.proj(torch.einsum("nhst,nthd->nshd", a, v).flatten(2))
