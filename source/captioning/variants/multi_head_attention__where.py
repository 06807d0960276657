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
        q, k, v = map(lambda t: split_heads(t, self.num_heads), (self.query(query), self.key(key), self.value(value)))
        scores = q.matmul(k.permute(0, 1, 3, 2)).div(self.head_dim**0.5)
        if attn_mask is not None:
            minus = torch.tensor(-1e10, dtype=scores.dtype, device=scores.device)
            scores = torch.where(attn_mask != 0, scores, minus)
        weights = self.attn_drop(torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True)))
        heads = weights.matmul(v)
        return self.proj(heads.transpose(1, 2).reshape(N, S, E))
