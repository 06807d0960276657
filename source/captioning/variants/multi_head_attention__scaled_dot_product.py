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
        # torch's own function, with the dropout that it wants to be told
        q, k, v = [
            layer(x).unflatten(2, (self.num_heads, self.head_dim)).transpose(1, 2)
            for layer, x in ((self.query, query), (self.key, key), (self.value, value))
        ]
        p = self.attn_drop.p if self.training else 0.0
        mask = attn_mask.bool() if attn_mask is not None else None
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        return self.proj(y.transpose(1, 2).flatten(2))
