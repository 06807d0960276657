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
        T = key.shape[1]
        H, d = self.num_heads, self.head_dim
        # all three projections by one stacked weight
        weight = torch.stack([self.query.weight, self.key.weight, self.value.weight])
        bias = torch.stack([self.query.bias, self.key.bias, self.value.bias])
        q = (query @ weight[0].T + bias[0]).view(N, S, H, d).transpose(1, 2)
        k = (key @ weight[1].T + bias[1]).view(N, T, H, d).transpose(1, 2)
        v = (value @ weight[2].T + bias[2]).view(N, T, H, d).transpose(1, 2)
        scores = (q @ k.mT) / d**0.5
        if attn_mask is not None:
            visible = attn_mask.to(torch.bool)[None, None].expand(N, H, S, T)
            scores[~visible] = float("-inf")
        y = self.attn_drop(scores.softmax(dim=3)) @ v
        y = y.movedim(1, 2).reshape(N, S, E)
        return y @ self.proj.weight.T + self.proj.bias
