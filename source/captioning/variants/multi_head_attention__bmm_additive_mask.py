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
        N, S, E = query.size()
        T = key.size(1)
        H = self.num_heads

        def heads(x, length):
            return x.reshape(N, length, H, E // H).permute(0, 2, 1, 3).reshape(N * H, length, E // H)

        q, k, v = heads(self.query(query), S), heads(self.key(key), T), heads(self.value(value), T)
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(E / H)
        if attn_mask is not None:
            bias = torch.zeros(S, T, device=query.device).masked_fill(attn_mask == 0, float("-inf"))
            scores = scores + bias
        w = self.attn_drop(scores.softmax(-1))
        out = torch.bmm(w, v).view(N, H, S, E // H).transpose(1, 2).contiguous().view(N, S, E)
        return self.proj(out)
