class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        q = self.rotate(self.split(self.query(x)) / math.sqrt(self.head_dim))
        k = self.rotate(self.split(self.key(x)))
        e = torch.einsum("nhsd,nhtd->nhst", q, k)
        i = torch.arange(x.shape[1], device=x.device)
        return torch.where(i[:, None] >= i, e, float("-inf")).softmax(dim=-1)

    def forward(self, x):
        y = torch.einsum("nhst,nhtd->nhsd", self.look(x), self.split(self.value(x)))
        return self.proj(self.join(y))
