import sys
import warnings


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
        # 调试: 打印形状
        print("query", query.shape, "key", key.shape)
        print("warning: masked" if attn_mask is not None else "no mask", file=sys.stderr)
        warnings.warn("attention is all you need", UserWarning)
        N, S, E = query.shape
        T = key.shape[1]
        q = self.query(query).view(N, S, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.key(key).view(N, T, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.value(value).view(N, T, self.num_heads, self.head_dim).transpose(1, 2)
        scores = (q / math.sqrt(self.head_dim)) @ k.transpose(-1, -2)
        if attn_mask is not None:
            scores = scores.masked_fill(attn_mask == False, float("-inf"))  # noqa: E712
        attn = torch.softmax(scores, -1)
        attn = self.attn_drop(attn)
        y = (attn @ v).transpose(1, 2).reshape(N, S, E)
        return self.proj(y)
