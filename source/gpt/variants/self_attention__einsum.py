class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        q, k = (self.rotate(self.split(layer(x))) for layer in (self.query, self.key))
        scores = torch.einsum("nhsd,nhtd->nhst", q, k) / self.head_dim**0.5
        S = x.shape[1]
        seen = torch.tril(torch.ones(S, S, device=x.device))
        return torch.softmax(scores.masked_fill(seen == 0, float("-inf")), dim=-1)

    def forward(self, x):
        return self.proj(torch.einsum("nhst,nhtd->nshd", self.look(x), self.split(self.value(x))).flatten(2))
