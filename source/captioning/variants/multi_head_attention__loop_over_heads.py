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
        d = self.head_dim
        Q, K, V = self.query(query), self.key(key), self.value(value)
        results = []
        for head in range(self.num_heads):
            part = slice(head * d, (head + 1) * d)
            scores = torch.matmul(Q[..., part], K[..., part].transpose(1, 2)) / d**0.5
            if attn_mask is not None:
                scores = scores.masked_fill(torch.logical_not(attn_mask), -1e9)
            w = nn.functional.softmax(scores, dim=2)
            results.append(self.attn_drop(w) @ V[..., part])
        return self.proj(torch.cat(results, dim=-1))
