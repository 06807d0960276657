class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        S = x.shape[1]
        if not hasattr(self, "mask") or self.mask.shape[0] != S:
            self.mask = nn.Parameter(torch.full((S, S), -math.inf).triu(1).to(x), requires_grad=False)
        q, k = (self.rotate(self.split(part(x))) for part in (self.query, self.key))
        return (q @ k.mT / self.head_dim**0.5 + self.mask).softmax(-1)

    def forward(self, x):
        return self.proj(self.join(self.look(x) @ self.split(self.value(x))))
