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
        N, S, E = query.shape
        H, d = self.num_heads, self.head_dim
        q = self.query(query).view(N, S, H, d).permute(0, 2, 1, 3)
        k = self.key(key).view(N, key.shape[1], H, d).permute(0, 2, 3, 1)
        v = self.value(value).view(N, key.shape[1], H, d).permute(0, 2, 1, 3)
        log_weights = (q @ k) / math.sqrt(d)
        if attn_mask is not None:
            log_weights = log_weights + torch.log(attn_mask.to(log_weights.dtype))
        weights = torch.exp(log_weights.log_softmax(dim=-1))
        weights = nn.functional.dropout(weights, p=self.attn_drop.p, training=self.training)
        return self.proj((weights @ v).permute(0, 2, 1, 3).contiguous().view(N, S, H * d))
