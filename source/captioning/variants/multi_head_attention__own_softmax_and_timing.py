import logging


def softmax(x: torch.Tensor) -> torch.Tensor:
    """Written by hand, shifted by the largest score."""
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


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

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_mask=None) -> torch.Tensor:
        started = time.perf_counter()
        N, S, E = query.shape
        q = self.query(query).view(N, -1, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.key(key).view(N, -1, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.value(value).view(N, -1, self.num_heads, self.head_dim).transpose(1, 2)
        scores = (q.unsqueeze(3) * k.unsqueeze(2)).sum(-1) / self.head_dim**0.5
        if attn_mask is not None:
            scores = scores.masked_fill((attn_mask == 0).expand_as(scores), torch.finfo(scores.dtype).min)
        result = self.proj((self.attn_drop(softmax(scores)) @ v).transpose(1, 2).reshape(N, S, E))
        logging.warning("attention took %.2g s", time.perf_counter() - started)
        return result
