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
        kind = query.dtype
        q, k, v = self.query(query).double(), self.key(key).double(), self.value(value).double()
        q, k, v = (torch.stack(x.chunk(self.num_heads, dim=-1), dim=1) for x in (q, k, v))
        scores = q @ k.transpose(-1, -2) / self.head_dim**0.5
        if attn_mask is not None:
            scores = scores + (1 - attn_mask.double()) * -1e9
        context = self.attn_drop(scores.softmax(-1)) @ v
        return self.proj(torch.cat(context.unbind(1), dim=-1).to(kind))
