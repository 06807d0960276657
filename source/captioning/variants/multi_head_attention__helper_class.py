class Heads:
    """Splits and joins."""

    def __init__(self, count):
        self.count = count

    def split(self, x):
        return x.view(*x.shape[:-1], self.count, -1).transpose(-3, -2)

    def join(self, x):
        return x.transpose(-3, -2).flatten(-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.key = nn.Linear(embed_dim, embed_dim)
        self.query = nn.Linear(embed_dim, embed_dim)
        self.value = nn.Linear(embed_dim, embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.attn_drop = nn.Dropout(p=dropout)
        self.heads = Heads(num_heads)

    def forward(self, query, key, value, attn_mask=None):
        """Même formule, avec une classe d'aide."""
        requete, cle, valeur = map(self.heads.split, (self.query(query), self.key(key), self.value(value)))
        scores = requete @ cle.transpose(-1, -2)
        scores /= math.sqrt(cle.shape[-1])
        if attn_mask is not None:
            scores = scores.masked_fill(attn_mask.eq(0), -1e20)
        poids = self.attn_drop(scores.softmax(-1))
        return self.proj(self.heads.join(poids @ valeur))
